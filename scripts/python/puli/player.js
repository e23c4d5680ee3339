(() => {
  const data = DATA;
  const root = document.getElementById(data.id);
  if (!root) return;
  const nodes = new Map([...root.querySelectorAll("[data-n]")].map((node) => [node.dataset.n, node]));
  const sentence = root.querySelector(".puli-sentence");
  const make = (name, properties, parent) => parent.appendChild(Object.assign(document.createElement(name), properties));
  const controls = document.createElement("div");
  controls.style.cssText = "display:flex;gap:8px;align-items:center;max-width:640px";
  root.insertBefore(controls, root.children[1]);
  const last = data.texts.length - 1;
  let at = 0;
  const show = (next) => {
    at = Math.min(Math.max(next, 0), last);
    const looks = new Map();
    for (let i = 0; i <= at; i++) {
      for (const [n, state, label, note] of data.changes[i]) {
        const old = looks.get(n) ?? ["unmade", "", ""];
        looks.set(n, [state ?? old[0], label ?? old[1], note ?? old[2]]);
      }
    }
    for (const [n, node] of nodes) {
      const [state, label, note] = looks.get(n) ?? ["unmade", "", ""];
      const here = n === data.here[at] ? " puli-here" : "";
      node.setAttribute("class", `puli-g puli-${node.dataset.kind} puli-${state}${here}`);
      node.querySelector(".puli-v").textContent = label;
      node.querySelector(".puli-o").textContent = note;
    }
    slider.value = at;
    slider.setAttribute("aria-valuetext", `event ${at} of ${last}`);
    sentence.textContent = `${at} of ${last}. ${data.texts[at]}`;
  };
  const button = (textContent, title, next) =>
    make("button", { type: "button", textContent, title, onclick: () => show(next()) }, controls);
  const before = () => data.stops.filter((i) => i < at).pop() ?? 0;
  const after = () => data.stops.find((i) => i > at) ?? last;
  if (data.stops.length) button("|◀", "the cut, pass or iteration before", before);
  button("◀", "one event back", () => at - 1);
  const slider = make("input", { type: "range", min: 0, max: last, value: 0, ariaLabel: "event" }, controls);
  slider.style.flex = "1";
  slider.oninput = () => show(Number(slider.value));
  button("▶", "one event on", () => at + 1);
  if (data.stops.length) button("▶|", "the next cut, pass or iteration", after);
  show(0);
})();
