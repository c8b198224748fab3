//! Options before values: the order in which every invariant is computed, without recursion.

use crate::arena::{Arena, Value};
use crate::error::Result;

/// Something known for each value once it is known for the options.
pub(crate) trait Fold {
    /// Whether `value` needs no computation.
    fn is_known(&self, arena: &Arena, value: Value) -> bool;

    /// Computes `value`, after which it is known. All its options are known, unless it is a number: numbers have formulas.
    fn compute(&mut self, arena: &Arena, value: Value) -> Result<()>;
}

/// Makes `value` known. Visits the subpositions that are not, options first, with a stack of its own.
pub(crate) fn make_known(fold: &mut impl Fold, arena: &Arena, value: Value) -> Result<()> {
    if fold.is_known(arena, value) {
        return Ok(());
    }
    let mut stack = smallvec::SmallVec::<[Value; 32]>::from_slice(&[value]);
    while let Some(&top) = stack.last() {
        if !fold.is_known(arena, top) {
            let before = stack.len();
            if arena.as_number(top).is_none() {
                let unknown = |option: &Value| !fold.is_known(arena, *option);
                stack.extend(arena.left_options(top).filter(unknown));
                stack.extend(arena.right_options(top).filter(unknown));
            }
            if stack.len() > before {
                continue;
            }
            fold.compute(arena, top)?;
        }
        stack.pop();
    }
    Ok(())
}
