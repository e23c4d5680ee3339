# Puli for nixpkgs. The name and the version are those of Cargo.toml.
{
  lib,
  rustPlatform,
  installShellFiles,
}:

let
  manifest = lib.importTOML ../../Cargo.toml;
in
rustPlatform.buildRustPackage {
  pname = manifest.package.name;
  version = manifest.workspace.package.version;

  src = lib.cleanSource ../..;
  cargoLock.lockFile = ../../Cargo.lock;
  cargoBuildFlags = [
    "--bin"
    "puli"
  ];
  # The tests take longer than the build, and some need more than the sandbox has. scripts/check runs them.
  doCheck = false;

  nativeBuildInputs = [ installShellFiles ];
  postInstall = ''
    $out/bin/puli man --out man
    installManPage man/*.1
    installShellCompletion --cmd puli \
      --bash <($out/bin/puli completions bash) \
      --fish <($out/bin/puli completions fish) \
      --zsh <($out/bin/puli completions zsh)
  '';
  doInstallCheck = true;
  installCheckPhase = ''
    $out/bin/puli --variant kaooa -c "go depth 2" | grep bestmove
  '';

  meta = {
    description = manifest.package.description;
    license = lib.licenses.mit;
    mainProgram = "puli";
    platforms = lib.platforms.unix;
  };
}
