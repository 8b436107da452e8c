//! What a URL may be, and by which way it is reached.

use crate::check;
use crate::front::{Front, mcp};

#[test]
fn path_and_query_are_kept_and_the_query_is_hidden() {
    let front = Front::new(mcp);
    let target = "/a/b%20c/mcp?key=a-secret-key&x=1";
    let run = check(&[], &[&front.url(target)]);
    assert_eq!(run.code, Some(0), "{}", run.said);
    assert!(!run.said.contains("a-secret-key"), "{}", run.said);
    let asked = front.asked();
    assert!(asked.len() > 1);
    assert!(
        asked.iter().all(|asked| asked.target == target),
        "{asked:?}"
    );
}

#[test]
fn an_address_of_ipv6_is_reached() {
    let front = Front::at("::1", mcp);
    let run = check(&[], &[&front.url("/mcp")]);
    assert_eq!(run.code, Some(0), "{}", run.said);
    let host = format!("[::1]:{}", front.address.port());
    let asked = front.asked();
    assert!(asked.len() > 1);
    for asked in asked {
        assert_eq!(asked.header("host"), Some(host.as_str()));
    }
}

#[test]
fn a_proxy_of_the_environment_is_passed_over_on_this_machine() {
    let proxy = Front::new(mcp);
    let front = Front::new(mcp);
    let through = proxy.url("");
    let port = front.address.port();
    for host in ["127.0.0.1", "localhost"] {
        let run = check(
            &[("http_proxy", &through), ("all_proxy", &through)],
            &[&format!("http://{host}:{port}/mcp")],
        );
        assert_eq!(run.code, Some(0), "{}", run.said);
    }
    assert_eq!(proxy.asked().len(), 0);
}

#[test]
fn a_proxy_of_the_environment_is_used_for_other_hosts() {
    let proxy = Front::new(mcp);
    // The name is reserved, so that nobody can ever have it.
    let url = "http://mcpspec.invalid/mcp";
    let run = check(&[("http_proxy", &proxy.url(""))], &[url]);
    assert_eq!(run.code, Some(0), "{}", run.said);
    let asked = proxy.asked();
    assert!(asked.len() > 1);
    assert!(asked.iter().all(|asked| asked.target == url), "{asked:?}");
}
