import { Socket } from 'node:net';
import type { Action } from '../../actions/action.ts';
import { copyVerified } from './copy-verified.ts';
import { folderWorks, type WorkName } from './folder-works.ts';
import { tellError } from './worker-errors.ts';
import {
  bytesChannel,
  createLineParts,
  type FileRequest,
  workActionName,
  workerAccount,
  workerRequest,
} from './worker-wire.ts';

const failed = 1;
const umask = 0o022;

/** Works in a server's folder with only the rights of its account. The agent starts it, and it ends with the agent. */
export const workAction: Action = {
  usage: '',
  summary: "Works in a server's folder as its account; the agent starts it with requests on standard input.",
  isInternal: true,
  async run(_args, { complain }) {
    const { signal } = new AbortController();
    const bytes = new Socket({ fd: bytesChannel, readable: true, writable: false });
    let turn: Promise<void> | null = null;
    const answer = (value: object) => void process.stdout.write(`${JSON.stringify(value)}\n`);
    const take = (line: string) => {
      if (turn === null) {
        takeAccount(line);
        turn = Promise.resolve();
        return;
      }
      turn = turn
        .then(() => carryOut(line, bytes, signal))
        .then(
          (value) => answer({ value: value ?? null }),
          (error: unknown) => answer({ error: tellError(error) }),
        );
    };
    const lines = createLineParts(take);
    process.stdin.setEncoding('utf8').on('data', lines);
    // No work may continue in the folder once the agent is gone: the next one starts there.
    process.stdin.on('close', () => process.exit(0));
    process.on('uncaughtException', (error) => {
      complain(error.message);
      process.exit(failed);
    });
    return new Promise<never>(() => undefined);
  },
};

/** For good: no right of root's can be regained. */
const takeAccount = (line: string): void => {
  const { uid, gid, groups } = workerAccount.parse(JSON.parse(line));
  const { setgroups, setgid, setuid, seteuid } = process;
  if (!setgroups || !setgid || !setuid || !seteuid) throw new Error('accounts are for Linux only');
  setgroups(groups);
  setgid(gid);
  setuid(uid);
  process.umask(umask);
  try {
    seteuid(0);
  } catch {
    return;
  }
  throw new Error(`${workActionName} still has the rights of root`);
};

const carryOut = async (line: string, channel: Socket, signal: AbortSignal): Promise<unknown> => {
  const request = workerRequest.parse(JSON.parse(line));
  if ('put' in request) return putFile(request.put, channel, signal);
  const { work, input } = request;
  if (!Object.hasOwn(folderWorks, work)) throw new Error(`there is no work ${work}`);
  // The agent, which is the same program, gives each work the input that the compiler demanded.
  const { run } = folderWorks[work as WorkName];
  return (run as (input: unknown, signal: AbortSignal) => Promise<unknown>)(input, signal);
};

const putFile = async (file: FileRequest, channel: Socket, signal: AbortSignal): Promise<void> => {
  const announced = { left: file.bytes };
  try {
    await copyVerified(bytesOf(channel, announced), file, signal);
  } catch (error) {
    // Its rest would be read as the start of the next file.
    for await (const _ of bytesOf(channel, announced));
    throw error;
  }
};

/** The next file's bytes follow the answer to this one. */
const bytesOf = async function* (channel: Socket, announced: { left: number }): AsyncGenerator<Buffer> {
  if (announced.left <= 0) return;
  for await (const chunk of channel.iterator({ destroyOnReturn: false })) {
    announced.left -= chunk.length;
    yield chunk;
    if (announced.left <= 0) return;
  }
  throw new Error('the bytes of a file ended early');
};
