//! The time that a network takes.

use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use clap::Args;

/// `Profile` is what lies between a function and the service, besides the server's own time.
#[derive(Args, Clone, Copy, Default)]
pub struct Profile {
    /// Delay added to each request
    #[arg(long, default_value_t = 0.0, value_name = "MS")]
    pub delay_ms: f64,
    /// Largest deviation of a delay, in either direction
    #[arg(long, default_value_t = 0.0, value_name = "MS")]
    pub jitter_ms: f64,
    /// Time that opening a connection takes, for the round trips of TCP and TLS
    #[arg(long, default_value_t = 0.0, value_name = "MS")]
    pub connect_ms: f64,
    /// Seed of the random delays
    #[arg(long, default_value_t = 0)]
    pub seed: u32,
}

/// A profile at work. Requests that come at the same time are delayed at the same time: it is no queue.
#[derive(Debug)]
pub struct Network {
    connection: Duration,
    least: Duration,
    spread: Duration,
    draws: Mutex<SplitMix>,
}

impl Network {
    /// Each request takes its delay, give or take up to the jitter, all equally likely, drawn by the seed.
    pub fn new(profile: Profile) -> Self {
        let jitter_ms = profile.jitter_ms.clamp(0.0, profile.delay_ms.max(0.0));
        Self {
            connection: milliseconds(profile.connect_ms),
            least: milliseconds(profile.delay_ms - jitter_ms),
            spread: milliseconds(2.0 * jitter_ms),
            draws: Mutex::new(SplitMix(profile.seed.into())),
        }
    }

    /// Waits as long as it takes to open a connection.
    pub async fn open(&self) {
        wait(self.connection).await;
    }

    /// Waits as long as the next request takes.
    pub async fn pass(&self) {
        wait(self.next()).await;
    }

    fn next(&self) -> Duration {
        if self.spread.is_zero() {
            return self.least;
        }
        let share = self.draws.lock().unwrap_or_else(PoisonError::into_inner).next();
        self.least + self.spread.mul_f64(share)
    }
}

fn milliseconds(count: f64) -> Duration {
    Duration::from_secs_f64(count.max(0.0) / 1_000.0)
}

/// `wait` uses a thread of its own: tokio's timer counts whole milliseconds and rounds up, twice.
async fn wait(time: Duration) {
    if !time.is_zero() {
        let _ = tokio::task::spawn_blocking(move || thread::sleep(time)).await;
    }
}

/// SplitMix64: <https://prng.di.unimi.it/splitmix64.c>
#[derive(Debug)]
struct SplitMix(u64);

impl SplitMix {
    /// `next` is a number from 0 up to 1, without 1.
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

    use super::{Network, Profile};

    fn network(delay_ms: f64, jitter_ms: f64, seed: u32) -> Network {
        Network::new(Profile { delay_ms, jitter_ms, seed, connect_ms: 0.0 })
    }

    fn delays(network: &Network) -> Vec<Duration> {
        (0..1_000).map(|_| network.next()).collect()
    }

    #[test]
    fn delays_lie_within_the_jitter_and_come_to_the_delay_on_average() {
        let drawn = delays(&network(2.4, 0.6, 7));
        assert!(drawn.iter().all(|delay| (1.8..3.0).contains(&(delay.as_secs_f64() * 1_000.0))));
        let mean = drawn.iter().sum::<Duration>() / 1_000;
        assert!(mean.abs_diff(Duration::from_micros(2_400)) < Duration::from_micros(40), "{mean:?}");
    }

    #[test]
    fn a_seed_draws_the_same_delays_again_and_another_seed_others() {
        assert_eq!(delays(&network(15.0, 3.0, 7)), delays(&network(15.0, 3.0, 7)));
        assert_ne!(delays(&network(15.0, 3.0, 7)), delays(&network(15.0, 3.0, 8)));
    }

    #[test]
    fn no_jitter_is_the_delay_itself_and_jitter_never_goes_below_no_time() {
        assert_eq!(network(15.0, 0.0, 7).next(), Duration::from_millis(15));
        assert_eq!(network(0.0, 0.0, 7).next(), Duration::ZERO);
        assert!(delays(&network(2.0, 9.0, 7)).iter().all(|delay| *delay < Duration::from_millis(4)));
    }

    #[tokio::test]
    async fn a_wait_is_no_millisecond_longer_than_it_was_drawn() {
        let network = network(2.2, 0.0, 7);
        let mut waits = Vec::new();
        for _ in 0..50 {
            let begun = Instant::now();
            network.pass().await;
            waits.push(begun.elapsed());
        }
        waits.sort();
        assert!(waits[0] >= Duration::from_micros(2_200), "{waits:?}");
        // The median: a busy machine may keep any single thread waiting.
        assert!(waits[25] < Duration::from_micros(2_900), "{waits:?}");
    }

    #[tokio::test]
    async fn a_connection_takes_its_own_time() {
        let opened = Network::new(Profile { connect_ms: 400.0, ..Profile::default() });
        let begun = Instant::now();
        opened.pass().await;
        assert!(begun.elapsed() < Duration::from_millis(300), "{:?}", begun.elapsed());
        opened.open().await;
        assert!(begun.elapsed() >= Duration::from_millis(399), "{:?}", begun.elapsed());
    }
}
