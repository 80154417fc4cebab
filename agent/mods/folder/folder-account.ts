import { accountName } from '#runtime/account-name.ts';
import { foreignHand, foreignPart } from '#runtime/owned-path.ts';
import { ownerOnTheWay } from '../../configuration/as-owner.ts';
import type { ServerConfig } from '../../configuration/server-section.ts';
import { type GameAccount, lookUpAccount } from '../../power/holder/game-account.ts';
import { ModsError } from '../mods-error.ts';

/**
 * The account whose rights an agent that runs as root uses in the server's folder: the game's, else the folder's owner. That
 * account could put a link there at any moment, and root would follow it.
 * @returns null: the agent's own rights, since no other account may change the folder or the path to it
 * @throws {ModsError} when the folder is open to others and no account is known
 */
export const folderAccount = async ({
  folder,
  start,
}: Pick<ServerConfig, 'folder' | 'start'>): Promise<GameAccount | null> => {
  if (process.geteuid?.() !== 0) return null;
  // The words of `foreignHand` look names up, which starts programs.
  if ((await foreignPart(folder)) === null) return null;
  const named = start.by === 'holder' ? start.account : null;
  const account = named === null ? await ownerOf(folder) : known(named);
  if (account === null && named !== null)
    throw new ModsError(`The account ${named} is not there. Make it, or name another one.`);
  if (account === null)
    throw new ModsError(
      `Accounts other than root may change ${folder}, and which one the game runs under is not known. Give the folder to the account of the game: chown -R <account> "${folder}"`,
    );
  if (account.uid === 0) throw new ModsError((await foreignHand(folder)) ?? folder);
  return account;
};

const ownerOf = async (folder: string): Promise<GameAccount | null> => {
  const owner = await ownerOnTheWay(folder);
  if (owner === null) return null;
  const name = await accountName(owner.uid);
  const found = name === null ? null : known(name);
  if (found !== null) return found;
  // A number without a name has no groups; its folder's group may be root's.
  const gid = owner.gid === 0 ? owner.uid : owner.gid;
  return { name: String(owner.uid), uid: owner.uid, gid, groups: [gid], home: '/' };
};

const looked = new Map<string, { readonly account: GameAccount | null; readonly untilMs: number }>();
/** Each look-up runs two programs; when the account is added to a group, this is the longest time until it takes effect. */
const knownMs = 10_000;

const known = (name: string): GameAccount | null => {
  const before = looked.get(name);
  if (before && performance.now() < before.untilMs) return before.account;
  const account = lookUpAccount(name);
  looked.set(name, { account, untilMs: performance.now() + knownMs });
  return account;
};
