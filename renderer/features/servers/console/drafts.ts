import { create } from 'zustand';

interface DraftStore {
  readonly texts: Readonly<Record<string, string>>;
}

/** What is typed and not sent, by server: it stays while one looks at another tab or page. */
const useDrafts = create<DraftStore>(() => ({ texts: {} }));

export const useDraft = (serverId: string): string => useDrafts(({ texts }) => texts[serverId] ?? '');

export const setDraft = (serverId: string, text: string): void =>
  useDrafts.setState(({ texts }) => ({ texts: { ...texts, [serverId]: text } }));

/** Of now, where no component is near. */
export const presentDraft = (serverId: string): string => useDrafts.getState().texts[serverId] ?? '';
