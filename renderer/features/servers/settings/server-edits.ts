import { create } from 'zustand';
import type { GameServer } from '#contracts/game-servers.ts';
import { personHere } from '../../../access/person-here.ts';
import type { ServerDraft } from '../server-draft.ts';

export interface ServerEdit {
  /** What the typing began with. */
  readonly base: GameServer;
  readonly draft: ServerDraft;
}

interface Edits {
  /** Nobody finds what another has typed. */
  readonly personId: string | null;
  readonly byServer: Readonly<Record<string, ServerEdit>>;
}

const useEdits = create<Edits>(() => ({ personId: null, byServer: {} }));

const none: Edits['byServer'] = {};
const ofPersonHere = ({ personId, byServer }: Edits) => (personId === personHere() ? byServer : none);

const askBeforeClosing = (event: BeforeUnloadEvent) => event.preventDefault();

/** What is typed of a server and not saved; it outlives the page, not the panel. */
export const useEdit = (serverId: string): ServerEdit | null =>
  useEdits((edits) => ofPersonHere(edits)[serverId] ?? null);

export const presentEdit = (serverId: string): ServerEdit | null =>
  ofPersonHere(useEdits.getState())[serverId] ?? null;

export const keepEdit = (serverId: string, edit: ServerEdit | null): void => {
  const { [serverId]: _before, ...others } = ofPersonHere(useEdits.getState());
  const byServer = edit ? { ...others, [serverId]: edit } : others;
  useEdits.setState({ personId: personHere(), byServer });
  // Only while there is something to lose: with this listener, browsers keep no page for going back.
  if (Object.keys(byServer).length > 0) addEventListener('beforeunload', askBeforeClosing);
  else removeEventListener('beforeunload', askBeforeClosing);
};
