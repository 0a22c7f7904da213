use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, SystemTime};

use aws_sdk_dynamodb::primitives::{DateTime, DateTimeFormat};

/// An item as a GetItem response.
pub const ITEM: &str = r#"{"Item":{"pk":{"S":"seed"},"sk":{"S":"item-00"}}}"#;

/// Returns an address where nothing listens.
pub fn refusing() -> String {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    format!("http://{address}")
}

/// Returns an address that accepts connections but never answers.
pub fn hanging() -> (String, TcpListener) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    (format!("http://{}", listener.local_addr().unwrap()), listener)
}

/// Starts a server that answers every request with these bytes.
pub fn answering(bytes: &'static [u8]) -> String {
    serve(move |stream| {
        let mut input = BufReader::new(stream);
        if head(&mut input).is_some() {
            let _ = input.get_mut().write_all(bytes);
        }
    })
}

/// A fake DynamoDB that finds every item and records the heads of its requests.
pub struct Service {
    pub endpoint: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Service {
    pub fn start() -> Self {
        let requests = Arc::new(Mutex::new(vec![]));
        let record = requests.clone();
        let endpoint = serve(move |stream| {
            let mut input = BufReader::new(stream);
            while let Some(head) = head(&mut input) {
                record.lock().unwrap().push(head);
                answer(input.get_mut(), "application/x-amz-json-1.0", ITEM);
            }
        });
        Self { endpoint, requests }
    }

    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// Returns the access keys that signed the requests, in order.
    pub fn keys(&self) -> Vec<String> {
        let key = |head: &String| {
            let (_, signed) = head.split_once("Credential=").unwrap();
            signed.split('/').next().unwrap().to_owned()
        };
        self.requests().iter().map(key).collect()
    }
}

/// A fake of Lambda's credentials endpoint: returns AKID1, AKID2, ... to callers with the token, each expiring soon.
pub struct Credentials {
    pub address: String,
}

impl Credentials {
    pub fn that_end_at_once(token: &'static str) -> Self {
        let given = Mutex::new(0);
        let address = serve(move |stream| {
            let mut input = BufReader::new(stream);
            while let Some(head) = head(&mut input) {
                assert!(head.contains(&format!("authorization: {token}")), "{head}");
                let mut given = given.lock().unwrap();
                *given += 1;
                // The SDK treats credentials as expired ten seconds early.
                let end = DateTime::from(SystemTime::now() + Duration::from_secs(5));
                let end = end.fmt(DateTimeFormat::DateTime).unwrap();
                let key = format!(
                    r#"{{"AccessKeyId":"AKID{given}","SecretAccessKey":"secret","Token":"t","Expiration":"{end}"}}"#
                );
                answer(input.get_mut(), "application/json", &key);
            }
        });
        Self { address: address + "/credentials" }
    }
}

/// Starts a server with a thread per connection.
fn serve(converse: impl Fn(TcpStream) + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let converse = Arc::new(converse);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let converse = converse.clone();
            thread::spawn(move || converse(stream.unwrap()));
        }
    });
    format!("http://{address}")
}

/// Reads a request's head with lower-case names and drops its body; `None` if the connection has ended.
pub fn head(input: &mut impl BufRead) -> Option<String> {
    let mut head = String::new();
    loop {
        let mut line = String::new();
        if input.read_line(&mut line).unwrap_or(0) == 0 {
            return None;
        }
        if line.trim().is_empty() {
            break;
        }
        head += &line;
    }
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let length = length.map_or(0, |length| length.trim().parse().unwrap());
    input.take(length).read_to_end(&mut vec![]).unwrap();
    Some(head)
}

pub fn answer(output: &mut impl Write, content_type: &str, body: &str) {
    let length = body.len();
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {content_type}\r\ncontent-length: {length}\r\n\r\n");
    output.write_all((head + body).as_bytes()).unwrap();
}
