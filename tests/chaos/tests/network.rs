//! Hosts that are cut off from each other, and found again (promises P5, P11, P12 and P25). Needs a kernel that gives
//! us network namespaces; elsewhere it is skipped, and says so.

use toads_chaos::{Cluster, Faults, Network, baseline, skipped};
use toads_fault::Point;
use toads_tests::Scene;

const SQUARES: &str = "1..11";

#[test]
fn p5_p12_hosts_cut_off_in_the_middle_of_a_submission_and_healed() {
    let network = match Network::new(3) {
        Ok(network) => network,
        Err(why) => return skipped("hosts that are cut off", &why),
    };
    let [head, near, far] = &network.hosts[..] else {
        unreachable!("three hosts");
    };
    let scene = Scene::new();
    let expected = baseline(&scene, SQUARES);
    let mut cluster = Cluster::on(&scene, "net.db", head);
    let mut coordinator = cluster.coordinator(&Faults::none());
    cluster.submit(&mut coordinator, SQUARES);
    let held = scene.path("held");
    let faults = Faults::none().at(
        Point::WorkerStream,
        &format!("hold:{},at=6", held.display()),
    );
    let mut cut_off = cluster.worker_on(Some(far), &faults);
    coordinator.until("a submission is half sent", || held.is_file());
    far.cut();
    std::fs::write(held.with_extension("go"), "").unwrap();
    coordinator.until("the silent worker is given up", || {
        cluster.log().count("gone") == 1
    });
    // The others have the whole run to themselves, half of it while the coordinator is cut off, too.
    let mut at_home = cluster.worker_on(Some(near), &Faults::none());
    coordinator.until("the other worker commits", || {
        cluster
            .log()
            .of_kind("committed")
            .any(|row| row.worker.starts_with("worker-3"))
    });
    head.cut();
    std::thread::sleep(std::time::Duration::from_secs(2));
    assert!(at_home.is_running() && cut_off.is_running());
    head.heal();
    far.heal();
    coordinator.until("both are back", || cluster.log().count("registered") >= 3);
    coordinator.until("the run is done", || cluster.log().count("finished") == 1);
    cluster.finish(coordinator, &expected);
}
