import type { Kysely } from 'kysely';
import type { ModsList } from '#contracts/servers/agent-mods.ts';
import type { Log } from '#runtime/log.ts';
import { within } from '#runtime/within.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { AgentTasks } from '../../servers/agent-tasks.ts';
import { askForMods } from './agent-answers.ts';

/** What agents last reported about mods, kept with its time, since an agent may be away. */
export type KeptMods = ReturnType<typeof createKeptMods>;

/** A list up to this age is used without asking: hashing a folder is work. */
const freshMs = 10_000;
const readerPatienceMs = 3000;

interface Question {
  answer: Promise<boolean>;
  isOutdated: boolean;
}

export const createKeptMods = ({
  db,
  tasks,
  onKept,
  log,
}: {
  readonly db: Kysely<Tables>;
  readonly tasks: Pick<AgentTasks, 'run' | 'machineOf'>;
  readonly onKept: (serverId: string) => void;
  readonly log: Log;
}) => {
  /** One request at a time, however many wait for it. */
  const asking = new Map<string, Question>();
  /** When the last list was requested, on a monotonic clock. */
  const freshSince = new Map<string, number>();

  const canAsk = (serverId: string): boolean => {
    const { takesTasks, machine } = tasks.machineOf(serverId);
    return takesTasks && machine?.facts.tasks.includes('list-mods') === true;
  };
  const isFresh = (serverId: string) =>
    performance.now() - (freshSince.get(serverId) ?? Number.NEGATIVE_INFINITY) < freshMs;
  const ask = async (serverId: string, question: Question): Promise<boolean> => {
    const list = await askForMods(tasks, serverId);
    if (question.isOutdated) return false;
    if ('why' in list) {
      log.debug({ serverId, why: list.why }, 'a Game Agent returned no mod list');
      return false;
    }
    const row = { list: JSON.stringify(list), listed_at: new Date() };
    await db
      .insertInto('server_mods')
      .values({ server_id: serverId, ...row })
      .onConflict((conflict) => conflict.column('server_id').doUpdateSet(row))
      .execute();
    onKept(serverId);
    return true;
  };
  const begin = (serverId: string): Question => {
    const known = asking.get(serverId);
    if (known && !known.isOutdated) return known;
    const beganMs = performance.now();
    const question: Question = { isOutdated: false, answer: Promise.resolve(false) };
    question.answer = ask(serverId, question)
      .catch((error: unknown) => {
        log.debug({ err: error, serverId }, 'could not list the mods of a server');
        return false;
      })
      .then((isKept) => {
        if (asking.get(serverId) === question) asking.delete(serverId);
        if (isKept && !question.isOutdated) freshSince.set(serverId, beganMs);
        return isKept && !question.isOutdated;
      });
    asking.set(serverId, question);
    return question;
  };

  /** A change that ended while the agent was answering is no reason to go without a list. */
  const askUntilNew = async (serverId: string, patience: AbortSignal): Promise<boolean> => {
    for (;;) {
      const question = begin(serverId);
      const isKept = await question.answer;
      if (!question.isOutdated || patience.aborted || !canAsk(serverId)) return isKept;
    }
  };

  return {
    async read(serverId: string): Promise<{ readonly at: Date; readonly list: ModsList } | null> {
      const row = await db
        .selectFrom('server_mods')
        .select(['list', 'listed_at'])
        .where('server_id', '=', serverId)
        .executeTakeFirst();
      return row ? { at: row.listed_at, list: row.list } : null;
    },
    /** Asks the agent unless it has just reported. @returns whether the kept list is fresh now */
    async refresh(serverId: string, patienceMs: number = readerPatienceMs): Promise<boolean> {
      if (isFresh(serverId)) return true;
      if (!canAsk(serverId)) return false;
      const patience = new AbortController();
      return within(patienceMs, askUntilNew(serverId, patience.signal), () => {
        patience.abort();
        return false;
      });
    },
    /** Its mods have changed: an earlier list no longer counts as fresh. */
    changed(serverId: string): void {
      freshSince.delete(serverId);
      const question = asking.get(serverId);
      if (question) question.isOutdated = true;
    },
  };
};
