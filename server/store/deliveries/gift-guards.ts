import { type CommandResult, withoutReply } from '#contracts/servers/games.ts';
import type { GiveGuard, GuardForm, GuardMark } from '#games/store-forms.ts';
import type { StoreContext } from '../store-context.ts';
import type { ClockReading } from './delivery-rows.ts';

interface GuardAnswer {
  readonly mark: GuardMark;
  /** The console connection that carried it, as in `CommandResult`. */
  readonly connection: string | undefined;
}

const clockLifeMs = 10_000;
const ticksPerSecond = 20;
/** A second: no game restarts faster. */
const mostStrayTicks = 20;

interface Probe {
  readonly connection: object | string;
  readonly form: Promise<GuardForm | 'unfit' | 'away'>;
}

/** Asks games for their record of gifts: whether they keep one, what it says, and whether they ran without a break. */
export type GiftGuards = ReturnType<typeof createGiftGuards>;

export const createGiftGuards = ({ ways, now, log }: Pick<StoreContext, 'ways' | 'now' | 'log'>) => {
  const probes = new Map<string, Probe>();
  const clocks = new Map<
    string,
    { readonly atMs: number; readonly reading: Promise<ClockReading | undefined> }
  >();

  const probe = async (serverId: string, guard: GiveGuard): Promise<GuardForm | 'unfit' | 'away'> => {
    let isAway = false;
    const run = async (command: string): Promise<CommandResult> => {
      const result = (await ways.ask(serverId, command)) ?? away;
      isAway ||= result.outcome !== 'answered';
      return result;
    };
    const found = await guard.probe(run);
    if (isAway) return 'away';
    if ('form' in found) return found.form;
    log.info({ serverId, detail: found.unfit }, 'a game keeps no record of deliveries');
    return 'unfit';
  };

  const readClock = async (
    serverId: string,
    guard: GiveGuard,
    form: GuardForm,
  ): Promise<ClockReading | undefined> => {
    const result = await ways.ask(serverId, guard.clock.command(form));
    const ticks = result?.reply == null ? null : guard.clock.read(result.reply);
    return ticks === null ? undefined : { ticks, atMs: now() };
  };

  return {
    /** Probed once per connection. `unfit`: it keeps no record; `away`: it cannot be asked. */
    async formOn(serverId: string, guard: GiveGuard): Promise<GuardForm | 'unfit' | 'away'> {
      const connection = ways.open(serverId)?.connection;
      if (connection === undefined) return 'away';
      const known = probes.get(serverId);
      if (known?.connection === connection) return known.form;
      const fresh: Probe = { connection, form: probe(serverId, guard) };
      probes.set(serverId, fresh);
      const form = await fresh.form.catch(() => 'away' as const);
      if (form === 'away' && probes.get(serverId) === fresh) probes.delete(serverId);
      return form;
    },
    /** At most ten seconds old. */
    clockOf(serverId: string, guard: GiveGuard, form: GuardForm): Promise<ClockReading | undefined> {
      const known = clocks.get(serverId);
      if (known && Math.abs(now() - known.atMs) < clockLifeMs) return known.reading;
      const reading = readClock(serverId, guard, form).catch(() => undefined);
      const fresh = { atMs: now(), reading };
      clocks.set(serverId, fresh);
      void reading.then((ticks) => {
        if (!ticks && clocks.get(serverId) === fresh) clocks.delete(serverId);
      });
      return reading;
    },
    /** Null: it cannot be asked. */
    async markOf(
      serverId: string,
      guard: GiveGuard,
      form: GuardForm,
      id: string,
    ): Promise<GuardAnswer | null> {
      const result = await ways.ask(serverId, guard.query.command(id, form));
      if (result?.reply == null) return null;
      return { mark: guard.query.read(result.reply), connection: result.connection };
    },
    /** Whether the world's clock shows that the game has run without a break since then. */
    async hasRunOn(
      serverId: string,
      guard: GiveGuard,
      form: GuardForm,
      since: ClockReading,
    ): Promise<boolean> {
      const reading = await readClock(serverId, guard, form);
      if (!reading) return false;
      const expected = ((reading.atMs - since.atMs) / 1000) * ticksPerSecond;
      return Math.abs(reading.ticks - since.ticks - expected) < mostStrayTicks;
    },
    /** Call when the game has come back: it may be a different one. */
    forget(serverId: string): void {
      probes.delete(serverId);
      clocks.delete(serverId);
    },
  };
};

const away = withoutReply('unreachable');
