import type { GameServer } from '#contracts/servers/game-servers.ts';
import { signedInPerson } from '../../kit/access/signed-in-person.ts';
import { createKeptDrafts } from '../../kit/forms/kept-drafts.ts';
import type { ServerDraft } from './server-draft.ts';

interface ServerEdit {
  /** The server when the typing began. */
  readonly base: GameServer;
  readonly draft: ServerDraft;
}

const edits = createKeptDrafts<ServerEdit>();

/** The unsaved input for a server. */
export const useEdit = (serverId: string): ServerEdit | null =>
  edits.useOf(signedInPerson())[serverId] ?? null;

export const presentEdit = (serverId: string): ServerEdit | null =>
  edits.of(signedInPerson())[serverId] ?? null;

export const keepEdit = (serverId: string, edit: ServerEdit | null): void =>
  edits.keep(signedInPerson(), serverId, edit);
