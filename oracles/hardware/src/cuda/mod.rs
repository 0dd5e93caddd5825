//! A live NVIDIA GPU, through a driver that is loaded when it is asked for.
