//! A network file of 2048 is rejected, or its network evaluates boards. The options of a training are read as written.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use puli::games::twenty48::board::Board;
use puli::games::twenty48::network::file::{FileKind, Origin, open};
use puli::games::twenty48::network::options::TrainingOptions;
use puli::games::twenty48::network::tuples::Tuples;
use puli::games::twenty48::network::{CompressionEffort, Network};
use puli_fuzz::{FileInput, saved, seal_end};

/// The newest version of training files.
const VERSION: u32 = 4;

static VALID: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let tuples = Tuples::FourByFive;
    let origin = Origin {
        tuples,
        command: "puli train 2048".into(),
        seed: 1,
        games: 2,
        moves: 3,
    };
    let weights = (0..tuples.weights()).map(|index| if index % 4096 == 0 { 64.0 } else { 0.0 });
    let network = Network::new(origin, 1.0, weights);
    saved(|path| network.save(path, CompressionEffort::Quick).expect("space"))
});

fuzz_target!(|input: FileInput| {
    let bytes = input.bytes(&VALID, |bytes| seal_end(bytes));
    if let Ok(network) = Network::parse(&bytes) {
        assert!(network.value(Board::default()).is_finite());
    }
    for content in [
        open(&bytes, FileKind::Training).map_or(&bytes[..], |file| file.body),
        &bytes,
    ] {
        let unset = TrainingOptions::default();
        if let Ok((options, _)) = TrainingOptions::split_from(content, VERSION, unset) {
            let written = options.to_bytes();
            let read = TrainingOptions::split_from(&written, VERSION, unset);
            assert_eq!(read, Ok((options, &[][..])));
        }
    }
});
