import { Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type ServerSaves, savesHttp } from '#contracts/servers/saves.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { ReasonedButton } from '../../kit/design/reasoned-button.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { clockTime } from './saves-in-words.ts';
import { scheduleWords } from './schedule.words.ts';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { type ScheduleProps, surplusOf, useScheduleText } from './schedule-text.ts';

/** When worlds are backed up, as the agent reports it, and what people asked for if that is something else. */
export const ScheduleCard = (props: ScheduleProps) => {
  const { server, saves, list, kept } = props;
  const words = useWords(scheduleWords);
  const [open, setOpen] = useState<'edit' | 'end' | null>(null);
  const mayAct = useCan()('saves.write', server.id);
  const { schedule } = saves;
  const surplus = surplusOf(list, kept.keep);
  const close = () => setOpen(null);
  return (
    <Card
      title={words.title}
      actions={
        mayAct &&
        schedule.obstacle === null && (
          <ReasonedButton variant="default" reason={null} onClick={() => setOpen('edit')}>
            {words.edit} …
          </ReasonedButton>
        )
      }
    >
      <Text>
        {list.nightly ? words.daily(clockTime(list.nightly.atMinute)) : words.never}
        {'. '}
        {words.keeps(kept.keep, kept.days)}
      </Text>
      {surplus > 0 && <Text size="sm">{words.deletes(surplus)}</Text>}
      <SetBy schedule={schedule} isPanels={kept.panel !== null} />
      {isRaised(kept) && <Text size="sm">{words.raised}</Text>}
      <div role="status">
        <Requested schedule={schedule} />
      </div>
      {schedule.obstacle === 'SAVES_SCHEDULE_NOT_ALLOWED' && (
        <Allow serverId={server.id} platform={schedule.platform} hasEnded={schedule.state === 'ended'} />
      )}
      {mayAct && schedule.requested !== null && schedule.obstacle !== 'SERVER_ARCHIVED' && (
        <Group>
          <ReasonedButton size="xs" variant="default" reason={null} onClick={() => setOpen('end')}>
            {schedule.state === 'ended' ? words.discard : words.end} …
          </ReasonedButton>
        </Group>
      )}
      {open === 'edit' && <ScheduleDialog {...props} onClose={close} />}
      {open === 'end' && <EndDialog {...props} onClose={close} />}
    </Card>
  );
};

const isRaised = ({ keep, days, panel }: ScheduleProps['kept']): boolean =>
  panel !== null && (keep > panel.keep || days > panel.days);

type Schedule = ServerSaves['schedule'];

const SetBy = ({ schedule, isPanels }: { readonly schedule: Schedule; readonly isPanels: boolean }) => {
  const words = useWords(scheduleWords);
  const { state, byName, changedAt } = schedule;
  const isTheirs = state === 'applied' && byName !== null && changedAt !== null;
  return (
    <Text size="sm" c="dimmed" component="div">
      {isTheirs ? (
        <>
          <bdi>{words.byPerson(byName)}</bdi> <TimeAgo at={changedAt} />
        </>
      ) : isPanels ? (
        words.byPanel
      ) : (
        words.byMachine
      )}
    </Text>
  );
};

/** What people asked for, if the agent does something else. */
const Requested = ({ schedule }: { readonly schedule: Schedule }) => {
  const words = useWords(scheduleWords);
  const textOf = useScheduleText();
  const { state, requested, detail } = schedule;
  switch (state) {
    case 'none':
    case 'applied':
      return null;
    case 'waiting':
      return <StateLabel tone="busy">{words.waiting(textOf(requested))}</StateLabel>;
    case 'failed':
      return (
        <Stack gap={4} align="flex-start">
          <StateLabel tone="bad">{words.failed(textOf(requested))}</StateLabel>
          <Text size="sm">
            <bdi>{detail}</bdi> {words.again}
          </Text>
        </Stack>
      );
    case 'ended':
      return (
        <Stack gap={4} align="flex-start">
          <StateLabel tone="warn">{words.ended}</StateLabel>
          <Text size="sm">{words.endedWas(textOf(requested))}</Text>
        </Stack>
      );
  }
};

const programs = {
  linux: 'castellan-agent',
  windows: String.raw`& "C:\ProgramData\Castellan Agent\program\castellan-agent.exe"`,
} as const;

/** The one command that gives the consent of the machine. */
const Allow = ({
  serverId,
  platform,
  hasEnded,
}: Pick<Schedule, 'platform'> & { readonly serverId: string; readonly hasEnded: boolean }) => {
  const words = useWords(scheduleWords);
  const command = `${programs[platform ?? 'linux']} allow --backups yes --server ${serverId}`;
  return (
    <Stack gap="xs">
      <Text size="sm">
        {!hasEnded && `${words.notAllowed} `}
        {words.allow[platform ?? 'linux']}
      </Text>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Code dir="ltr" style={{ overflowWrap: 'anywhere' }}>
          {command}
        </Code>
        <CopyButton value={command} label={words.copy} />
      </Group>
    </Stack>
  );
};

const EndDialog = ({
  server,
  saves,
  list,
  kept,
  onClose,
}: ScheduleProps & { readonly onClose: () => void }) => {
  const words = useWords(scheduleWords);
  const change = useChange(savesHttp.schedule, [savesHttp.read]);
  const { version, state } = saves.schedule;
  const surplus = surplusOf(list, kept.least.keep);
  return (
    <ConfirmAction
      title={words.endQuestion}
      act={state === 'ended' ? words.discard : words.end}
      doneText={words.ends}
      onAction={() =>
        change.mutateAsync({ params: { serverId: server.id }, body: { version, schedule: null } })
      }
      onClose={onClose}
    >
      <Text>{words.endText(kept.least.keep, kept.least.days)}</Text>
      {surplus > 0 && <Text>{words.deletes(surplus)}</Text>}
    </ConfirmAction>
  );
};
