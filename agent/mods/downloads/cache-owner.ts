import { randomBytes } from 'node:crypto';
import { isAlive } from '#runtime/live-process.ts';

/** This process's names that are still in use. */
const own = new Set<string>();

/** Names this process in a shared folder; process ids are reused, so the name contains more than that. */
export const newOwner = (): string => {
  const owner = `${process.pid}-${randomBytes(6).toString('hex')}`;
  own.add(owner);
  return owner;
};

export const endOwner = (owner: string): void => void own.delete(owner);

export const isOwnerAlive = (owner: string): boolean => {
  const pid = Number.parseInt(owner, 10);
  return pid === process.pid ? own.has(owner) : pid > 0 && isAlive(pid);
};
