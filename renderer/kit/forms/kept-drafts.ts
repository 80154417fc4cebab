import { create } from 'zustand';

interface Kept<Draft> {
  /** No one sees what another person has typed. */
  readonly personId: string | null;
  readonly drafts: Readonly<Record<string, Draft>>;
}

/** A person's unsaved input, by the name of what it changes; it outlives the page, but not the panel. */
interface KeptDrafts<Draft> {
  readonly useOf: (personId: string | null) => Readonly<Record<string, Draft>>;
  readonly of: (personId: string | null) => Readonly<Record<string, Draft>>;
  /** Null: nothing is left to save. */
  readonly keep: (personId: string | null, name: string, draft: Draft | null) => void;
  readonly forgetAll: () => void;
}

export const createKeptDrafts = <Draft>(): KeptDrafts<Draft> => {
  const useKept = create<Kept<Draft>>(() => ({ personId: null, drafts: {} }));
  const none: Kept<Draft>['drafts'] = {};
  const ofPerson = (kept: Kept<Draft>, personId: string | null) =>
    kept.personId === personId ? kept.drafts : none;
  // One for each kind of draft: the same function added twice would be one listener, and the first kind without drafts would remove it.
  const askBeforeClosing = (event: BeforeUnloadEvent) => event.preventDefault();

  const put = (personId: string | null, drafts: Kept<Draft>['drafts']): void => {
    useKept.setState({ personId, drafts });
    // Only while there is something to lose: with this listener, browsers do not cache the page for going back.
    if (Object.keys(drafts).length > 0) addEventListener('beforeunload', askBeforeClosing);
    else removeEventListener('beforeunload', askBeforeClosing);
  };

  return {
    useOf: (personId) => useKept((kept) => ofPerson(kept, personId)),
    of: (personId) => ofPerson(useKept.getState(), personId),
    keep(personId, name, draft) {
      const { [name]: _before, ...others } = ofPerson(useKept.getState(), personId);
      put(personId, draft ? { ...others, [name]: draft } : others);
    },
    forgetAll: () => put(null, none),
  };
};
