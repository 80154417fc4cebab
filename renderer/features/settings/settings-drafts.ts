import { create } from 'zustand';
import type { SectionDraft } from '../../forms/section-draft.ts';

interface Drafts {
  /** Nobody finds what another has typed. */
  readonly personId: string | null;
  readonly bySection: Readonly<Record<string, SectionDraft>>;
}

const useDrafts = create<Drafts>(() => ({ personId: null, bySection: {} }));

const askBeforeClosing = (event: BeforeUnloadEvent) => event.preventDefault();

const put = (personId: string, bySection: Drafts['bySection']): void => {
  useDrafts.setState({ personId, bySection });
  // Only while there is something to lose: with this listener, browsers keep no page for going back.
  if (Object.keys(bySection).length > 0) addEventListener('beforeunload', askBeforeClosing);
  else removeEventListener('beforeunload', askBeforeClosing);
};

const none: Drafts['bySection'] = {};
const ofPerson = (drafts: Drafts, personId: string) =>
  drafts.personId === personId ? drafts.bySection : none;

/** What a person has typed in any section and not saved; it outlives the page, not the panel. */
export const useDraftsOf = (personId: string): Drafts['bySection'] =>
  useDrafts((drafts) => ofPerson(drafts, personId));

export const draftOf = (personId: string, section: string): SectionDraft | null =>
  ofPerson(useDrafts.getState(), personId)[section] ?? null;

export const forgetDrafts = (): void => put('', none);

/** The sections with something unsaved. */
export const draftedSections = (personId: string): readonly string[] =>
  Object.keys(ofPerson(useDrafts.getState(), personId));

export const keepDraft = (personId: string, section: string, draft: SectionDraft | null): void => {
  const { [section]: _before, ...others } = ofPerson(useDrafts.getState(), personId);
  put(personId, draft ? { ...others, [section]: draft } : others);
};
