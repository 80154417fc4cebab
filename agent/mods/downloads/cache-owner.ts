import { randomBytes } from 'node:crypto';
import { isAlive } from '#runtime/live-process.ts';

/** Those of this process that were not given up. */
const own = new Set<string>();

/** Names this process in a folder that several share; ids of processes come again, so it has more than that. */
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
