import { Text, TextInput } from '@mantine/core';
import { mostSavesDays, mostSavesKept, type SavesSchedule } from '#contracts/servers/agent-tasks.ts';
import { type RequestedSchedule, savesHttp } from '#contracts/servers/saves.ts';
import { queryClient, readKey, useChange } from '../../kit/api/queries.ts';
import { useFieldErrors } from '../../kit/forms/field-errors.ts';
import { NumberField } from '../../kit/forms/number-field.tsx';
import { useDraftForm } from '../../kit/forms/use-draft-form.ts';
import { VersionedDialog } from '../../kit/forms/versioned-dialog.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { clockTime } from './saves-in-words.ts';
import { scheduleWords } from './schedule.words.ts';
import { type ScheduleProps, surplusOf, useScheduleText } from './schedule-text.ts';

/** As in the examples of the documentation, and a time at which few people play. */
export const usualMinute = 4 * 60 + 30;

interface Draft {
  /** `04:30`; empty while it is not a time. */
  readonly time: string;
  readonly keep: number | '';
  readonly days: number | '';
}

const scheduleIn = ({ time, keep, days }: Draft): SavesSchedule | null => {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(time) ?? [];
  if (hours === undefined || keep === '' || days === '') return null;
  return { atMinute: Number(hours) * 60 + Number(minutes), keep, days };
};

/** Hour, count and days; less than the game's machine keeps is refused at its field. */
export const ScheduleDialog = ({
  server,
  saves,
  list,
  kept,
  onClose,
}: ScheduleProps & { readonly onClose: () => void }) => {
  const words = useWords(scheduleWords);
  const format = useFormat();
  const textOf = useScheduleText();
  const params = { serverId: server.id };
  const change = useChange(savesHttp.schedule, [savesHttp.read]);
  const errorOf = useFieldErrors(change.error);
  const { least } = kept;
  const form = useDraftForm<RequestedSchedule, Draft, SavesSchedule>({
    begun: saves.schedule,
    newest: saves.schedule,
    readNewest: () => queryClient.invalidateQueries({ queryKey: readKey(savesHttp.read, { params }) }),
    draftOf(known) {
      const { atMinute, keep, days } = known?.requested ??
        kept.panel ?? { ...kept, atMinute: list.nightly?.atMinute ?? usualMinute };
      return { time: clockTime(atMinute), keep, days };
    },
    bodyOf: scheduleIn,
    send: (schedule, version) => change.mutateAsync({ params, body: { version, schedule } }),
    savedText: words.saved,
    onClose,
  });
  const { time, keep, days } = form.draft;
  const stored = list.backups[0]?.storedBytes;
  const surplus = keep === '' ? 0 : surplusOf(list, keep);
  return (
    <VersionedDialog
      form={form}
      title={words.title}
      act={words.save}
      isReady={form.isComplete}
      conflictTitle={words.theirs}
      theirs={({ requested }) => <Text>{textOf(requested)}</Text>}
      onClose={onClose}
    >
      <TextInput
        type="time"
        label={words.time}
        description={words.timeHint}
        value={time}
        onChange={({ currentTarget }) => form.edit({ time: currentTarget.value })}
        required
        data-autofocus
      />
      <NumberField
        label={words.keep}
        description={words.least(format.number(least.keep))}
        error={errorOf('keep')}
        value={keep}
        min={least.keep}
        max={mostSavesKept}
        isRequired
        onChange={(value) => form.edit({ keep: value })}
      />
      <NumberField
        label={words.days}
        description={words.least(format.number(least.days))}
        error={errorOf('days')}
        value={days}
        min={least.days}
        max={mostSavesDays}
        isRequired
        onChange={(value) => form.edit({ days: value })}
      />
      {stored !== undefined && keep !== '' && list.freeBytes !== null && (
        <Text size="sm">{words.room(keep, format.bytes(stored * keep), format.bytes(list.freeBytes))}</Text>
      )}
      {surplus > 0 && keep !== kept.keep && <Text size="sm">{words.deletes(surplus)}</Text>}
    </VersionedDialog>
  );
};
