//! One case looked at: what every implementation answers, who is to blame, and under which circumstances it shows.

mod again;
pub mod blame;
pub mod inspector;
pub mod output;
pub mod participants;
pub mod pose;
pub mod replay;
pub mod values;
