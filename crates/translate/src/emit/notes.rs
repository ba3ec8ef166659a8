//! What a module knows of its results by their ids: the values of constants, and how other values were made, as
//! far as those who use them look: where a value is at hand, so is what it was made of. And constants by their
//! values. Knows no words.

use super::module::{Id, TypeId};

/// What is known of a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Note {
    /// Nothing.
    #[default]
    None,
    /// A constant: of a 64-bit pair, the whole of it; of a boolean, 0 or 1.
    Value(u64),
    /// A word that differs from another by its sign bit, bit 31.
    Negated(Id),
    /// A word that is another under a mask.
    Masked(Id, u32),
    /// A byte index that is another and so many bytes.
    Sum(Id, u32),
    /// A boolean that is the opposite of another.
    Opposite(Id),
    /// A place that is none wherever a guard is false.
    Guarded(Id),
    /// A word, or the low one of a pair, that is the bits of a float.
    Float {
        /// The float.
        float: Id,
        /// How many bits.
        bits: u8,
        /// The other word of a pair.
        high: Option<Id>,
    },
}

/// Ids that room is made for at once.
const AT_ONCE: usize = 64;

/// Notes by id. Each id is a result of one operation, and so has one note at most.
#[derive(Debug, Default)]
pub(super) struct Notes(Vec<Note>);

impl Notes {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// What is known of a result.
    #[inline]
    pub fn of(&self, id: Id) -> Note {
        self.0.get(id.word() as usize).copied().unwrap_or_default()
    }

    /// Notes what a result is.
    pub fn set(&mut self, id: Id, note: Note) {
        let at = id.word() as usize;
        while self.0.len() <= at {
            self.0.extend_from_slice(&[Note::None; AT_ONCE]);
        }
        if let Some(place) = self.0.get_mut(at) {
            *place = note;
        }
    }

    /// The value of a constant.
    #[inline]
    pub fn value(&self, id: Id) -> Option<u64> {
        match self.of(id) {
            Note::Value(value) => Some(value),
            _ => None,
        }
    }

    /// What a boolean is the opposite of.
    #[inline]
    pub fn opposite(&self, id: Id) -> Option<Id> {
        match self.of(id) {
            Note::Opposite(of) => Some(of),
            _ => None,
        }
    }
}

/// A place of the table of constants, of a type and value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    value: u64,
    /// 0, which no type has: free.
    ty: u32,
    /// 0: there is no such constant yet.
    id: u32,
}

impl Place {
    /// The constant, if there is one.
    #[inline]
    pub fn id(&self) -> Option<Id> {
        (self.id != 0).then_some(Id::of(self.id))
    }

    /// Says which one it is.
    pub fn fill(&mut self, id: Id) {
        self.id = id.word();
    }
}

/// Places of the table at first.
const FIRST: usize = 128;

/// The scalar constants of a module, and pairs of words, by type and value: open addressing.
#[derive(Debug, Default)]
pub(super) struct Constants {
    /// A power of two of them, or none; at least half are free.
    places: Vec<Place>,
    taken: usize,
}

impl Constants {
    /// Forgets all.
    pub fn clear(&mut self) {
        if self.taken > 0 {
            self.places.truncate(FIRST);
            self.places.fill(Place::default());
            self.taken = 0;
        }
    }

    /// Where a constant is, or the free place where it belongs. The mask keeps it inside, and there is always a
    /// free place.
    #[inline]
    fn find(&self, ty: u32, value: u64) -> usize {
        const FACTOR: u64 = 0x517c_c1b7_2722_0a95;
        let mask = self.places.len() - 1;
        let hash = (value ^ u64::from(ty) << 40).wrapping_mul(FACTOR);
        let mut at = (hash >> 40) as usize & mask;
        loop {
            let place = &self.places[at];
            if place.ty == 0 || (place.value == value && place.ty == ty) {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    /// The place of the constant of a type and value; who finds none there must fill it.
    #[inline]
    pub fn place(&mut self, ty: TypeId, value: u64) -> &mut Place {
        if (self.taken + 1) * 2 > self.places.len() {
            self.grow();
        }
        let at = self.find(ty.word(), value);
        let place = &mut self.places[at];
        if place.ty == 0 {
            self.taken += 1;
            place.ty = ty.word();
            place.value = value;
        }
        place
    }

    fn grow(&mut self) {
        let len = (self.places.len() * 2).max(FIRST);
        let old = std::mem::replace(&mut self.places, vec![Place::default(); len]);
        for place in old.into_iter().filter(|place| place.ty != 0) {
            let at = self.find(place.ty, place.value);
            self.places[at] = place;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_found_by_type_and_value_and_forgotten() {
        let mut constants = Constants::default();
        let ty = |n: u64| TypeId::of(1 + n as u32 % 3);
        for n in 0..1000 {
            let place = constants.place(ty(n), n / 3 << 32);
            assert_eq!(place.id(), None);
            place.fill(Id::of(n as u32 + 10));
        }
        for n in 0..1000 {
            let found = constants.place(ty(n), n / 3 << 32).id();
            assert_eq!(found, Some(Id::of(n as u32 + 10)));
        }
        constants.clear();
        assert_eq!(constants.place(ty(0), 0).id(), None);
    }

    #[test]
    fn a_result_has_the_note_that_was_set_last() {
        let mut notes = Notes::default();
        let (x, y) = (Id::of(7), Id::of(3));
        assert_eq!(notes.of(x), Note::None);
        notes.set(x, Note::Value(5));
        notes.set(y, Note::Opposite(x));
        assert_eq!((notes.value(x), notes.opposite(y)), (Some(5), Some(x)));
        assert_eq!((notes.value(y), notes.opposite(x)), (None, None));
    }
}
