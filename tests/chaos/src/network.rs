//! Hosts of their own: network namespaces with one cable each, all plugged into one switch, which is a namespace too.
//! The network of the machine itself is not touched.

use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::disk::run;

/// Distinguishes the networks of one test process.
static NETWORKS: AtomicU32 = AtomicU32::new(1);

/// A switch and its hosts; all of it goes away when dropped, also when a test panics.
#[derive(Debug)]
pub struct Network {
    switch: String,
    /// They have the addresses 10.77.0.1, 10.77.0.2 …
    pub hosts: Vec<Host>,
}

/// A host: a namespace, and a cable that can be cut.
#[derive(Debug)]
pub struct Host {
    namespace: String,
    switch: String,
    /// The switch's end of the cable.
    plug: String,
    address: String,
}

impl Network {
    /// So many hosts; the error says why the kernel does not allow that here.
    pub fn new(hosts: usize) -> Result<Self, String> {
        let network = NETWORKS.fetch_add(1, Ordering::Relaxed);
        let switch = format!("toads-{}-{network}", std::process::id());
        let mut made = Self {
            switch,
            hosts: vec![],
        };
        // From here on `made` cleans up, however far it came.
        ip(&["netns", "add", &made.switch])?;
        made.on_switch(&["link", "add", "br0", "type", "bridge"])?;
        made.on_switch(&["link", "set", "br0", "up"])?;
        for number in 1..=hosts {
            made.add(number)?;
        }
        Ok(made)
    }

    fn on_switch(&self, arguments: &[&str]) -> Result<(), String> {
        ip(&[&["-n", &self.switch], arguments].concat())
    }

    fn add(&mut self, number: usize) -> Result<(), String> {
        let host = Host {
            namespace: format!("{}-{number}", self.switch),
            switch: self.switch.clone(),
            plug: format!("plug{number}"),
            address: format!("10.77.0.{number}"),
        };
        ip(&["netns", "add", &host.namespace])?;
        self.hosts.push(host);
        let Host {
            namespace,
            plug,
            address,
            ..
        } = &self.hosts[number - 1];
        let cable = [
            "link", "add", plug, "type", "veth", "peer", "name", "eth0", "netns", namespace,
        ];
        self.on_switch(&cable)?;
        self.on_switch(&["link", "set", plug, "master", "br0", "up"])?;
        ip(&[
            "-n",
            namespace,
            "address",
            "add",
            &format!("{address}/24"),
            "dev",
            "eth0",
        ])?;
        for device in ["lo", "eth0"] {
            ip(&["-n", namespace, "link", "set", device, "up"])?;
        }
        Ok(())
    }
}

impl Host {
    /// Its address.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The same command, on this host. It runs in the process that is started, so that signals reach it.
    pub fn command(&self, command: &Command) -> Command {
        let mut there = Command::new("ip");
        there.args(["netns", "exec", &self.namespace]);
        there.arg(command.get_program()).args(command.get_args());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => there.env(name, value),
                None => there.env_remove(name),
            };
        }
        if let Some(folder) = command.get_current_dir() {
            there.current_dir(folder);
        }
        there
    }

    /// Cuts its cable: packets vanish, and nobody is told.
    ///
    /// # Panics
    /// If the system refuses.
    pub fn cut(&self) {
        self.set("nomaster");
    }

    /// Plugs it in again.
    ///
    /// # Panics
    /// If the system refuses.
    pub fn heal(&self) {
        self.set("master");
    }

    fn set(&self, plugged: &str) {
        // Without its master the plug is up and leads nowhere, like a switch that died: neither side sees a link go down.
        let mut arguments = vec!["-n", &self.switch, "link", "set", &self.plug, plugged];
        arguments.extend((plugged == "master").then_some("br0"));
        ip(&arguments).expect("the cable can be switched");
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        for host in &self.hosts {
            let _ = ip(&["netns", "delete", &host.namespace]);
        }
        let _ = ip(&["netns", "delete", &self.switch]);
    }
}

fn ip(arguments: &[&str]) -> Result<(), String> {
    run(Command::new("ip").args(arguments))
}
