import { accountName } from '../../configuration/account-name.ts';
import { ownerOnTheWay } from '../../configuration/as-owner.ts';
import { foreignHand } from '../../configuration/owned-path.ts';
import type { ServerConfig } from '../../configuration/server-section.ts';
import { type GameAccount, lookUpAccount } from '../../power/holder/game-account.ts';
import { ModsError } from '../mods-error.ts';

/**
 * With whose rights an agent that is root works in the server's folder: those of the game's account, else of the folder's owner.
 * Another account could put a link there at any moment, and root would follow it.
 * @returns null: with the agent's own, since no other account may change the folder or the way to it
 * @throws {ModsError} where the folder is open to others and no account is known
 */
export const folderAccount = async (server: ServerConfig | null): Promise<GameAccount | null> => {
  if (server === null || process.geteuid?.() !== 0) return null;
  const { folder, start } = server;
  const fault = await foreignHand(folder);
  if (fault === null) return null;
  const named = start.by === 'holder' ? start.account : null;
  const account = named === null ? await ownerOf(folder) : known(named);
  if (account === null && named !== null)
    throw new ModsError(`The account ${named} is not there. Make it, or name another one.`);
  if (account === null)
    throw new ModsError(
      `Accounts other than root may change ${folder}, and which one the game runs under is not known. Give the folder to the account of the game: chown -R <account> "${folder}"`,
    );
  if (account.uid === 0) throw new ModsError(fault);
  return account;
};

const ownerOf = async (folder: string): Promise<GameAccount | null> => {
  const owner = await ownerOnTheWay(folder);
  if (owner === null) return null;
  const name = await accountName(owner.uid);
  const found = name === null ? null : known(name);
  if (found !== null) return found;
  // A number without a name has no groups; that of its folder may be root's.
  const gid = owner.gid === 0 ? owner.uid : owner.gid;
  return { name: String(owner.uid), uid: owner.uid, gid, groups: [gid], home: '/' };
};

const looked = new Map<string, { readonly account: GameAccount | null; readonly untilMs: number }>();
/** Two programs are asked; one who adds the account to a group waits no longer than this for its effect. */
const knownMs = 10_000;

const known = (name: string): GameAccount | null => {
  const before = looked.get(name);
  if (before && performance.now() < before.untilMs) return before.account;
  const account = lookUpAccount(name);
  looked.set(name, { account, untilMs: performance.now() + knownMs });
  return account;
};
