//! The time that a network takes.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// What lies between a function and the service: a time that each request takes besides the server's own.
///
/// Connections and handshakes are not delayed. Requests that come at the same time are delayed at the same time.
#[derive(Debug)]
pub struct Network {
    least: Duration,
    spread: Duration,
    draws: Mutex<SplitMix>,
}

/// tokio's timer counts whole milliseconds and rounds up: half of one is what it adds on average.
const ROUNDED_UP: Duration = Duration::from_micros(500);

impl Network {
    /// Each request takes `delay_ms`, give or take up to `jitter_ms`, all equally likely, drawn by `seed`.
    pub fn new(delay_ms: u32, jitter_ms: u32, seed: u32) -> Self {
        let jitter_ms = jitter_ms.min(delay_ms);
        Self {
            least: Duration::from_millis((delay_ms - jitter_ms).into()),
            spread: Duration::from_millis((2 * jitter_ms).into()),
            draws: Mutex::new(SplitMix(seed.into())),
        }
    }

    /// Waits as long as the next request takes.
    pub async fn pass(&self) {
        let delay = self.next();
        if !delay.is_zero() {
            tokio::time::sleep(delay.saturating_sub(ROUNDED_UP)).await;
        }
    }

    fn next(&self) -> Duration {
        if self.spread.is_zero() {
            return self.least;
        }
        let share = self.draws.lock().unwrap_or_else(PoisonError::into_inner).next();
        self.least + self.spread.mul_f64(share)
    }
}

/// SplitMix64: <https://prng.di.unimi.it/splitmix64.c>
#[derive(Debug)]
struct SplitMix(u64);

impl SplitMix {
    /// From 0 up to 1, without 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        (bits >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::Network;

    fn delays(network: &Network) -> Vec<Duration> {
        (0..1_000).map(|_| network.next()).collect()
    }

    #[test]
    fn delays_lie_within_the_jitter_and_come_to_the_delay_on_average() {
        let drawn = delays(&Network::new(15, 3, 7));
        assert!(drawn.iter().all(|delay| (12.0..18.0).contains(&(delay.as_secs_f64() * 1_000.0))));
        let mean = drawn.iter().sum::<Duration>() / 1_000;
        assert!(mean.abs_diff(Duration::from_millis(15)) < Duration::from_micros(200), "{mean:?}");
    }

    #[test]
    fn a_seed_draws_the_same_delays_again_and_another_seed_others() {
        assert_eq!(delays(&Network::new(15, 3, 7)), delays(&Network::new(15, 3, 7)));
        assert_ne!(delays(&Network::new(15, 3, 7)), delays(&Network::new(15, 3, 8)));
    }

    #[test]
    fn no_jitter_is_the_delay_itself_and_jitter_never_goes_below_no_time() {
        assert_eq!(Network::new(15, 0, 7).next(), Duration::from_millis(15));
        assert_eq!(Network::new(0, 0, 7).next(), Duration::ZERO);
        let all = Network::new(2, 9, 7);
        assert!(delays(&all).iter().all(|delay| *delay < Duration::from_millis(4)));
    }

    #[tokio::test]
    async fn requests_that_come_at_the_same_time_wait_at_the_same_time() {
        let network = Network::new(20, 0, 7);
        let begun = Instant::now();
        tokio::join!(network.pass(), network.pass(), network.pass());
        assert!(begun.elapsed() < Duration::from_millis(55), "{:?}", begun.elapsed());
        assert!(begun.elapsed() >= Duration::from_millis(19), "{:?}", begun.elapsed());
    }
}
