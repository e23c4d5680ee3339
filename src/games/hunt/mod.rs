//! Hunt games: a few tigers against many goats on a board of lines. The boards are data ([`board`]); one code plays
//! them all.
//!
//! # The atlas
//!
//! A game is a file: `puli boards show kaooa > mine.txt`, a few words changed, and `puli play mine.txt` plays it, `puli solve
//! mine.txt` solves it; [`sketch`] reads it, `puli boards --help` explains its keywords. The values of those that are built in and
//! fit in memory whole, as `puli atlas --solve --out DIR` writes them, with more columns; Coyote, El Cazador, Fox and Geese,
//! Kulaochal, La Yagua, the Orissa game with one tiger and Refskak, which are surveyed, as `puli solve GAME` tells them; Adugo, Demala
//! Diviyan Keliya, the Mysore game with three tigers, that of Orissa with four, Sumi Naga and Yaguarete Kora as their tables do
//! (`puli solve GAME --out DIR`):
//!
//! | game | hunters, prey | positions that can arise | the start | share of positions that the prey win | the hunters | longest win |
//! | --- | --- | ---: | --- | ---: | ---: | ---: |
//! | Adugo | 1, 14 | 13,527,485,710 up to symmetry, whether they can arise or not | dogs win in 74 plies | 94.2% | 4.6% | 354 |
//! | Bam Blang Beh Khla | 1, 3 | 2,487 | draw | 7.9% | 1.9% | 9 |
//! | Catch the Hare (1283) | 1, 12 | 46,863,973 up to symmetry | hunters win in 51 plies | 21.2% | 78.4% | 122 |
//! | Coyote | 1, 12 | 44,787,224 up to symmetry, whether they can arise or not | hens win in 45 plies | 85.3% | 14.6% | 112 |
//! | Demala Diviyan Keliya | 3, 15 | 10,741,382,872 up to symmetry, whether they can arise or not | draw | 10.5% | 6.2% | 215 |
//! | El Cazador | 1, 12 | 243,562,910 up to symmetry, whether they can arise or not | animals win in 50 plies | 7.4% | 0.0% | 119 |
//! | Fox and Geese, thirteen geese | 1, 13 | 6,681,256,850 up to symmetry, whether they can arise or not | geese win in 78 plies | 75.6% | 0.0% | 170 |
//! | Hare and Hounds | 1, 3 | 2,510 | hounds win in 23 plies | 17.3% | 82.7% | 28 |
//! | Haretavl | 1, 3 | 3,748 | dogs win in 17 plies | 100% | 0 | 22 |
//! | Hat Diviyan Keliya | 1, 7 | 31,517 | leopards win in 14 plies | 75.1% | 7.0% | 34 |
//! | Hat Diviyan Keliya, large | 2, 8 | 873,391 | draw | 10.9% | 22.1% | 54 |
//! | Huli-Mane Ata | 1, 5 | 12,262 | goats win in 21 plies | 39.5% | 17.5% | 34 |
//! | Hund efter Hare | 1, 3 | 3,958 | dogs win in 24 plies | 100% | 0 | 26 |
//! | Janes Soppi | 1, 3 | 3,744 | dogs win in 11 plies | 100% | 0 | 14 |
//! | Kaooa | 1, 7 | 30,896 | crows win in 15 plies | 27.7% | 7.3% | 16 |
//! | Kulaochal | 4, 20 | 6,633,059,000 up to symmetry, whether they can arise or not | goats win in 6 plies | 0.1% | 70.1% | 297 |
//! | La Yagua | 1, 12 | 5,994,646,818 up to symmetry, whether they can arise or not | dogs win in 92 plies | 77.8% | 0.6% | 324 |
//! | Ludus Coriovalli | 2, 4 | 1,158,921 | dogs win in 39 plies | 91.2% | 8.8% | 56 |
//! | Mysore, one tiger | 1, 3 | 227 | draw | 37.4% | 26.9% | 7 |
//! | Mysore, three tigers | 3, 17 | 14,856,336,935 up to symmetry, whether they can arise or not | goats win in 56 plies | 26.7% | 0.1% | 218 |
//! | Orissa, four tigers | 4, 20 | 69,647,152,820 up to symmetry, whether they can arise or not | draw | 2.8% | 22.0% | 299 |
//! | Orissa, one tiger | 1, 12 | 6,018,478,292 up to symmetry, whether they can arise or not | goats win in 92 plies | 77.1% | 0.0% | 352 |
//! | Refskak | 1, 13 | 6,671,766,062 up to symmetry, whether they can arise or not | geese win in 77 plies | 75.8% | 0.2% | 170 |
//! | Sumi Naga | 4, 20 | 69,647,152,820 up to symmetry, whether they can arise or not | draw | 2.8% | 22.0% | 299 |
//! | Wolf and Sheep | 1, 4 | 892,689 | sheep win in 43 plies | 6.5% | 93.5% | 43 |
//! | Yaguarete Kora | 1, 15 | 19,024,503,768 up to symmetry, whether they can arise or not | dogs win in 70 plies | 92.9% | 0.2% | 352 |
//!
//! Bagh Chal to the last goat, which Sumi Naga is, and the Orissa game too, where four goats come at once, is a draw as Bagh Chal is;
//! Fox and Geese, of which the tradition has thirteen geese or more, is won by thirteen, from every position that has them and lets
//! them move; in La Yagua twelve dogs win, wherever the jaguar goes first, in Yaguarete Kora already fourteen win from every position that has them, as
//! fourteen do in Adugo. A game without end that the rules give to a party is a win of it, of no length. Aadu Puli and
//! Bagh Chal, which are larger, have tables ([`solved`](crate::solved)): draws both. So has Pulijudamu, of which the tradition
//! leaves the numbers open: 1 to 4 tigers, 5 to 15 goats. With `puli solve FILE --out DIR`, one table for each number of tigers,
//! of `hunters N at a1 …`, tells them all: the goats win, in so many plies, or nobody does; but where four tigers meet five goats
//! only, they win in 76.
//!
//! | tigers at | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 goats |
//! | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
//! | a1 | draw | draw | 37 | 27 | 21 | 19 | 19 | 19 | 19 | 19 | 19 |
//! | a1 b2 | draw | draw | draw | draw | draw | draw | 65 | 37 | 31 | 29 | 29 |
//! | a1 b3 | draw | draw | draw | draw | draw | draw | 51 | 37 | 31 | 29 | 29 |
//! | a1 b2 b3 | draw | draw | draw | draw | draw | draw | draw | draw | draw | 35 | 29 |
//! | a1 b2 b4 | draw | draw | draw | draw | draw | draw | draw | draw | draw | 35 | 29 |
//! | a1 b2 b3 b4 | tigers 76 | draw | draw | draw | draw | draw | draw | draw | draw | draw | 29 |

pub mod board;
mod count;
mod drawing;
pub mod evaluation;
mod foresight;
mod horizon;
pub mod network;
mod notation;
mod outlook;
mod placing;
mod position;
mod rules;
mod scene;
pub mod sketch;
pub mod words;

pub use board::Board;
pub use evaluation::Evaluation;
pub use position::{Move, Position, points_of};
pub use rules::Hunt;
