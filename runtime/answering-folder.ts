import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { StartupError } from './program.ts';
import { within } from './within.ts';

const usualMs = 5000;

/** @throws {StartupError} for a folder that does not answer: no command waits for ever */
export const demandAnswer = async (path: string, withinMs = usualMs): Promise<void> => {
  if (!(await answers(path, withinMs))) throw new StartupError(silentFolder(path));
};

/** For people: the message about a network drive that is gone. */
export const silentFolder = healthReasons['folder-silent'];

/**
 * Whether the system says within a time what is there, even if that is nothing. A look into a network drive that is gone may wait
 * forever, and blocks one of this program's few file threads for that time: ask this before working in a folder that may be on
 * one.
 */
export const answers = (path: string, withinMs = usualMs): Promise<boolean> =>
  process.platform === 'win32' ? answersHere(path, withinMs) : answersToProgram(path, withinMs);

/** Less than a health probe waits. */
const followMs = 2000;
/** One that cannot even be killed stays as a process. */
const silentMs = 10_000;

/**
 * `answers` for a place that is asked about often: one question at a time, and while it does not answer, one every ten seconds, for
 * which no one waits.
 */
export const followAnswers = (path: string): (() => Promise<boolean>) => {
  let asking: Promise<boolean> | null = null;
  let askedAt = 0;
  let isSilent = false;
  return async () => {
    if (asking === null && (!isSilent || performance.now() - askedAt >= silentMs)) {
      askedAt = performance.now();
      asking = answers(path, followMs).then((answer) => {
        isSilent = !answer;
        asking = null;
        return answer;
      });
    }
    return isSilent ? false : (asking ?? true);
  };
};

/** A waiting program can be killed, a thread cannot. */
const answersToProgram = (path: string, withinMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    const looking = spawn('stat', ['--dereference', '--', path], { cwd: '/', stdio: 'ignore' });
    const timer = setTimeout(() => {
      looking.kill('SIGKILL');
      resolve(false);
    }, withinMs);
    const answered = () => {
      clearTimeout(timer);
      resolve(true);
    };
    looking.once('exit', answered).once('error', answered);
  });

/** Windows itself gives up after a minute or so; until then one thread waits per folder. */
const answersHere = async (path: string, withinMs: number): Promise<boolean> => {
  const done = () => true;
  const look =
    looks.get(path) ??
    stat(path)
      .then(done, done)
      .finally(() => looks.delete(path));
  looks.set(path, look);
  return within(withinMs, look, () => false);
};
const looks = new Map<string, Promise<boolean>>();
