import { create } from 'zustand';
import { signedInPerson } from '../kit/access/signed-in-person.ts';

interface DraftStore {
  /** No one sees the text that another person has typed. */
  readonly personId: string | null;
  readonly texts: Readonly<Record<string, string>>;
}

/** Text that was typed but not sent, by the place where it was typed: it stays while the person looks at another tab or page. */
const useDrafts = create<DraftStore>(() => ({ personId: null, texts: {} }));

const textIn = ({ personId, texts }: DraftStore, place: string): string =>
  personId === signedInPerson() ? (texts[place] ?? '') : '';

/** @param place the id of a server for its command line, or with a word before it for another field */
export const useDraft = (place: string): string => useDrafts((drafts) => textIn(drafts, place));

export const setDraft = (place: string, text: string): void =>
  useDrafts.setState(({ personId: before, texts }) => {
    const personId = signedInPerson();
    return { personId, texts: { ...(before === personId && texts), [place]: text } };
  });

/** The current draft, outside of components. */
export const presentDraft = (place: string): string => textIn(useDrafts.getState(), place);
