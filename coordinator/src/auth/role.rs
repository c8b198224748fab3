//! Roles, and which of them may make which call.

use std::fmt;
use std::str::FromStr;

/// What a token stands for. The roles are apart: a worker may not read, and nobody but a worker may hand in results.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Role {
    /// Takes work and hands in results.
    Worker,
    /// Changes things – runs, surveys, quarantine, the process – and reads.
    Operator,
    /// Reads.
    Reader,
}

impl Role {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Worker, Self::Operator, Self::Reader];
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Worker => "worker",
            Self::Operator => "operator",
            Self::Reader => "reader",
        })
    }
}

impl FromStr for Role {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        Self::ALL
            .into_iter()
            .find(|role| role.to_string() == word)
            .ok_or(())
    }
}

const WORKER: &[Role] = &[Role::Worker];
const OPERATOR: &[Role] = &[Role::Operator];
const READERS: &[Role] = &[Role::Reader, Role::Operator];
const ANYBODY: &[Role] = &Role::ALL;

/// The roles that may make a call, by its path (`/toads.v1.Census/Query`); `None` for those that need no token. What is
/// not in the table is the operator's: a new call is closed until somebody opens it here.
pub(super) fn allowed(path: &str) -> Option<&'static [Role]> {
    let (service, method) = path
        .trim_start_matches('/')
        .split_once('/')
        .unwrap_or_default();
    Some(match (service, method) {
        // Whether the process serves is no secret, and those who ask carry no tokens.
        ("grpc.health.v1.Health", _) => return None,
        ("grpc.reflection.v1.ServerReflection", _) => ANYBODY,
        ("toads.v1.Workers", _)
        | ("toads.v1.Surveys", "Lease" | "Renew" | "Complete" | "Release") => WORKER,
        ("toads.v1.Surveys", "List" | "Get" | "Watch" | "Read")
        | (
            "toads.v1.Census",
            "ListRuns" | "GetRun" | "Watch" | "Query" | "Events" | "ListQuarantine"
            | "ShowQuarantine" | "Info" | "Digest" | "Plan",
        ) => READERS,
        _ => OPERATOR,
    })
}

#[cfg(test)]
mod tests {
    use prost::Message;
    use prost_types::FileDescriptorSet;

    use super::*;

    /// Every call of the contract with its roles: a call that is added shows up here.
    #[test]
    fn p18_the_role_table_of_every_call() {
        let set = FileDescriptorSet::decode(toads_wire::DESCRIPTORS).unwrap();
        let mut table = Vec::new();
        for file in &set.file {
            for service in &file.service {
                for method in &service.method {
                    let path = format!("/{}.{}/{}", file.package(), service.name(), method.name());
                    let roles: Vec<_> = allowed(&path)
                        .unwrap()
                        .iter()
                        .map(Role::to_string)
                        .collect();
                    table.push(format!(
                        "{}/{} {}",
                        service.name(),
                        method.name(),
                        roles.join(",")
                    ));
                }
            }
        }
        table.sort();
        let expected = "\
Census/Cancel operator
Census/Checkpoint operator
Census/Digest reader,operator
Census/Events reader,operator
Census/GetRun reader,operator
Census/Info reader,operator
Census/Invalidate operator
Census/ListQuarantine reader,operator
Census/ListRuns reader,operator
Census/Pause operator
Census/Plan reader,operator
Census/Query reader,operator
Census/Requeue operator
Census/Resume operator
Census/ShowQuarantine reader,operator
Census/Shutdown operator
Census/SubmitRun operator
Census/Watch reader,operator
Surveys/Cancel operator
Surveys/Complete worker
Surveys/Get reader,operator
Surveys/Lease worker
Surveys/List reader,operator
Surveys/Read reader,operator
Surveys/Release worker
Surveys/Renew worker
Surveys/Submit operator
Surveys/Watch reader,operator
Workers/Fail worker
Workers/Goodbye worker
Workers/Lease worker
Workers/OfferValues worker
Workers/Progress worker
Workers/Register worker
Workers/Release worker
Workers/Submit worker";
        assert_eq!(table.join("\n"), expected);
        assert_eq!(allowed("/grpc.health.v1.Health/Check"), None);
        assert_eq!(allowed("/toads.v1.Census/Burn"), Some(OPERATOR));
        assert_eq!(allowed("nonsense"), Some(OPERATOR));
    }
}
