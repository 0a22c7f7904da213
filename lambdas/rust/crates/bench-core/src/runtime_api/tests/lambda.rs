use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// A request that a function posted.
#[derive(Debug, Clone)]
pub struct Posted {
    pub path: String,
    pub head: Vec<String>,
    pub body: String,
}

impl Posted {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head
            .iter()
            .find_map(|line| line.split_once(": ").filter(|(found, _)| *found == name))
            .map(|(_, value)| value)
    }
}

/// A fake Runtime API that serves its answers to `next` in turn, then closes the connection.
pub struct Lambda {
    pub address: String,
    posted: Arc<Mutex<Vec<Posted>>>,
}

impl Lambda {
    pub fn start(answers: Vec<Vec<u8>>, outcome: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let posted = Arc::new(Mutex::new(vec![]));
        let record = posted.clone();
        thread::spawn(move || {
            let mut answers = answers.into_iter();
            while let Ok((stream, _)) = listener.accept() {
                if !converse(stream, &mut answers, outcome, &record) {
                    return;
                }
            }
        });
        Self { address, posted }
    }

    pub fn posted(&self) -> Vec<Posted> {
        self.posted.lock().unwrap().clone()
    }
}

/// Returns whether another connection may follow.
fn converse(
    stream: TcpStream,
    answers: &mut impl Iterator<Item = Vec<u8>>,
    outcome: &str,
    record: &Mutex<Vec<Posted>>,
) -> bool {
    let mut output = stream.try_clone().unwrap();
    let mut input = BufReader::new(stream);
    while let Some(request) = request(&mut input) {
        if request.path.ends_with("/invocation/next") {
            let Some(answer) = answers.next() else { return false };
            output.write_all(&answer).unwrap();
            if answer.windows(17).any(|window| window == b"Connection: close") {
                return true;
            }
        } else {
            record.lock().unwrap().push(request);
            write!(output, "HTTP/1.1 {outcome}\r\nContent-Length: 0\r\n\r\n").unwrap();
        }
    }
    true
}

fn request(input: &mut impl BufRead) -> Option<Posted> {
    let lines = input.by_ref().lines().map(|line| line.unwrap());
    let head: Vec<_> = lines.take_while(|line| !line.is_empty()).collect();
    let path = head.first()?.split(' ').nth(1)?.to_owned();
    let mut posted = Posted { path, head, body: String::new() };
    let length = posted.header("Content-Length").map_or(0, |length| length.parse().unwrap());
    input.take(length).read_to_string(&mut posted.body).unwrap();
    Some(posted)
}

pub fn next(id: &str, event: &str) -> Vec<u8> {
    next_with(id, "", event)
}

pub fn next_with(id: &str, headers: &str, event: &str) -> Vec<u8> {
    format!("{}{headers}Content-Length: {}\r\n\r\n{event}", head(id), event.len()).into()
}

pub fn next_in_chunks(id: &str, event: &str, size: usize) -> Vec<u8> {
    let mut answer = format!("{}Transfer-Encoding: chunked\r\n\r\n", head(id));
    for chunk in event.as_bytes().chunks(size) {
        let text = String::from_utf8_lossy(chunk);
        answer.push_str(&format!("{:x}\r\n{text}\r\n", chunk.len()));
    }
    (answer + "0\r\n\r\n").into()
}

fn head(id: &str) -> String {
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nLambda-Runtime-Aws-Request-Id: {id}\r\n\
         Lambda-Runtime-Deadline-Ms: 1700000000123\r\n\
         Lambda-Runtime-Invoked-Function-Arn: arn:aws:lambda:eu-west-1:1:function:f\r\n\
         Lambda-Runtime-Trace-Id: Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700\r\n"
    )
}
