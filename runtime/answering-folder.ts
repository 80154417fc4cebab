import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { healthReasons } from '#contracts/health-reasons.ts';
import { StartupError } from './program.ts';
import { within } from './within.ts';

/** @throws {StartupError} for a folder that does not answer: no command waits for ever */
export const demandAnswer = async (path: string): Promise<void> => {
  if (!(await answers(path))) throw new StartupError(silentFolder(path));
};

const usualMs = 5000;

/** For people: the message about a network drive that is gone. */
export const silentFolder = healthReasons['folder-silent'];

/**
 * Whether the system says within a time what is there, even if that is nothing. A look into a network drive that is gone may wait
 * forever, and blocks one of this program's few file threads for that time: ask this before working in a folder that may be on
 * one.
 */
export const answers = (path: string, withinMs = usualMs): Promise<boolean> =>
  process.platform === 'win32' ? answersHere(path, withinMs) : answersToProgram(path, withinMs);

const freshMs = 10_000;
/** Less than a health probe waits. */
const followMs = 2000;

/**
 * `answers` for a place that is asked about often: it is asked at most every ten seconds, and while it does not answer no one waits
 * for it.
 */
export const followAnswers = (path: string): (() => Promise<boolean>) => {
  let asked = Number.NEGATIVE_INFINITY;
  let asking = Promise.resolve(true);
  let isSilent = false;
  return async () => {
    if (performance.now() - asked >= freshMs) {
      asked = performance.now();
      asking = answers(path, followMs).then((answer) => {
        isSilent = !answer;
        return answer;
      });
    }
    return isSilent ? false : asking;
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
