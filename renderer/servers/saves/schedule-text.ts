import type { SavesSchedule } from '#contracts/servers/agent-tasks.ts';
import type { ServerSaves } from '#contracts/servers/saves.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { clockTime } from './saves-in-words.ts';
import type { OfSaves } from './saves-state.tsx';
import { scheduleWords } from './schedule.words.ts';

type List = NonNullable<ServerSaves['list']>;

export interface ScheduleProps extends OfSaves {
  readonly list: List;
  /** How many the agent keeps. */
  readonly kept: NonNullable<List['schedule']>;
}

/** How many the next backup deletes by their number, if that is more than the usual one. */
export const surplusOf = ({ backups }: Pick<List, 'backups'>, keep: number): number => {
  const deleted = backups.length + 1 - keep;
  return deleted > 1 ? deleted : 0;
};

/** A schedule in half a sentence. */
export const useScheduleText = () => {
  const words = useWords(scheduleWords);
  return (schedule: SavesSchedule | null): string =>
    schedule === null
      ? words.machines
      : words.short(clockTime(schedule.atMinute), schedule.keep, schedule.days);
};
