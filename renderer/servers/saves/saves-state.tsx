import { Alert, Group, Progress, Stack, Text } from '@mantine/core';
import { IconDeviceFloppy } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { problemCodes } from '#contracts/kernel/problems.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import {
  type RestoreRun,
  type SaveAct,
  type SavesObstacle,
  type ServerSaves,
  savesHttp,
} from '#contracts/servers/saves.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { serverNowMs } from '../../kit/api/server-clock.ts';
import { Card } from '../../kit/design/card.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { ReasonedButton } from '../../kit/design/reasoned-button.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { problemTexts } from '../../kit/language/problem-texts.ts';
import { wordReason } from '../../kit/language/reasons.words.ts';
import { useFormat } from '../../kit/language/use-format.ts';
import { useLanguage, useWords } from '../../kit/language/use-words.ts';
import { taskOutcomesWords } from '../agents/task-outcomes.words.ts';
import { Notes } from './backup-notes.tsx';
import { ObstacleNote, obstacleTo, useObstacleText } from './save-obstacle.tsx';
import { savesWords } from './saves.words.ts';
import { clockTime, noteInWords, percentOf, stepInWords } from './saves-in-words.ts';
import { savesVerdict } from './saves-verdict.ts';
import { focusHeir, useFocusHeir } from './use-focus-heir.ts';
import { useSaveAct } from './use-saves.ts';

export interface OfSaves {
  readonly server: GameServer;
  readonly saves: ServerSaves;
}

const agentObstacles: ReadonlySet<SavesObstacle> = new Set(['SAVES_AGENT_AWAY', 'SAVES_AGENT_TOO_OLD']);

/** A server's backups at a glance, and the button that creates one. */
export const SavesState = ({ server, saves }: OfSaves) => {
  const words = useWords(savesWords);
  const can = useCan();
  const mayAct = can('saves.write', server.id);
  const obstacleText = useObstacleText();
  const { run, isRunning, error } = useSaveAct(server.id);
  const { act, lastAct, obstacle, list, isAgentPresent, run: restoreRun } = saves;
  return (
    <Card
      title={words.title}
      actions={
        mayAct && (
          <ReasonedButton
            leftSection={<IconDeviceFloppy size={16} aria-hidden />}
            reason={obstacleText(obstacleTo('backup', saves))}
            isActing={isRunning}
            onClick={() => void run({ action: 'backup' })}
          >
            {words.takeNow}
          </ReasonedButton>
        )
      }
    >
      <div role="status" id={focusHeir} tabIndex={-1}>
        <Sign saves={saves} />
      </div>
      {restoreRun && !isPast(restoreRun, lastAct, server) && <RunState server={server} run={restoreRun} />}
      {act && <UnderWay serverId={server.id} act={act} mayCancel={mayAct} />}
      {error !== null && <Trouble error={error} />}
      {obstacle !== null && (
        <ObstacleNote code={obstacle}>
          {agentObstacles.has(obstacle) && can('agents.write', server.id) && (
            <PanelLink to={`/agents/${encodeURIComponent(server.id)}`} size="sm">
              {words.toAgent}
            </PanelLink>
          )}
        </ObstacleNote>
      )}
      {!mayAct && (
        <Text size="sm" c="dimmed">
          {words.mayNot}
        </Text>
      )}
      {!act && lastAct && <LastAct act={lastAct} list={list} />}
      {list && !isAgentPresent && (
        <Text size="sm">
          {words.asOf} <TimeAgo at={list.at} />:
        </Text>
      )}
      {list && <ListFacts list={list} />}
    </Card>
  );
};

/** A failure is over once something else was done, or the game runs that could not be started. */
const isPast = ({ step, endedAt }: RestoreRun, lastAct: SaveAct | null, { status }: GameServer): boolean =>
  endedAt !== null &&
  ((lastAct !== null && lastAct.requestedAt > endedAt) || (step === 'starting' && status.shown === 'online'));

/** The step of a restore that goes on by itself, or why the last one did not come to its end. */
const RunState = ({ server, run }: Pick<OfSaves, 'server'> & { readonly run: RestoreRun }) => {
  const words = useWords(savesWords);
  const language = useLanguage();
  if (run.outcome === null)
    return (
      <Text size="sm" role="status">
        {words.runSteps[run.step]} {words.runGoesOn}
      </Text>
    );
  if (run.outcome !== 'failed') return null;
  const known = run.problem === null ? null : problemCodes.find((code) => code === run.problem);
  const why = known ? problemTexts(known, language).meaning : run.detail && wordReason(run.detail, language);
  return (
    <Alert color="var(--tone-bad)" variant="outline" title={words.runFailed[run.step]}>
      {why !== null && (
        <Text size="sm">
          <bdi>{why}</bdi>
        </Text>
      )}
      {run.step === 'starting' && (
        <PanelLink size="sm" to={`/servers/${encodeURIComponent(server.id)}?power=start`}>
          {words.startNow}
        </PanelLink>
      )}
    </Alert>
  );
};

/** Without times: they change by themselves, and would be read out each time. */
const Sign = ({ saves }: Pick<OfSaves, 'saves'>) => {
  const words = useWords(savesWords);
  const { act } = saves;
  if (act)
    return (
      <StateLabel tone="busy">
        {words.under[act.action]}: {stepInWords(act.progress, words.steps)}
        {act.isCancelled && ` – ${words.cancelled}`}
      </StateLabel>
    );
  const verdict = savesVerdict(saves, serverNowMs());
  return (
    <StateLabel tone={verdict.tone}>
      {'failed' in verdict ? words.failed[verdict.failed] : words.verdicts[verdict.says]}
    </StateLabel>
  );
};

/** The progress of an act, and a cancel button for as long as it can be cancelled. */
const UnderWay = (props: {
  readonly serverId: string;
  readonly act: SaveAct;
  readonly mayCancel: boolean;
}) => {
  const { serverId, act, mayCancel } = props;
  const words = useWords(savesWords);
  const format = useFormat();
  const cancel = useChange(savesHttp.cancel, [savesHttp.read]);
  const { progress } = act;
  const isLong = act.action === 'backup' || act.action === 'restore';
  const percent = progress && percentOf(progress);
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          {words.by(act.byName)}
          {progress && percent !== null && (
            <>
              {' · '}
              {words.figures(format.bytes(progress.done), format.bytes(progress.total ?? 0), percent)}
            </>
          )}
        </Text>
        {mayCancel && isLong && !act.isCancelled && (
          <CancelButton
            isActing={cancel.isPending}
            onClick={() => cancel.mutate({ params: { serverId, actId: act.id } })}
          />
        )}
      </Group>
      {isLong && <Progress value={percent ?? 0} aria-label={words.progress} />}
      {cancel.error && <Trouble error={cancel.error} />}
    </Stack>
  );
};

/** Disappears with the act, or once it is pressed. */
const CancelButton = ({
  isActing,
  onClick,
}: Pick<ComponentProps<typeof ReasonedButton>, 'isActing' | 'onClick'>) => {
  const words = useWords(savesWords);
  const part = useFocusHeir<HTMLDivElement>();
  return (
    <div ref={part}>
      <ReasonedButton
        size="xs"
        variant="default"
        reason={null}
        isActing={isActing ?? false}
        onClick={onClick}
      >
        {words.cancel}
      </ReasonedButton>
    </div>
  );
};

const LastAct = ({ act, list }: { readonly act: SaveAct; readonly list: ServerSaves['list'] }) => {
  const words = useWords(savesWords);
  const outcomes = useWords(taskOutcomesWords);
  if (act.outcome === null || act.endedAt === null) return null;
  // Its notes are in the agent's language; those in the list can be shown in the reader's.
  const made = act.action === 'backup' && list?.backups.find(({ name }) => name === act.backup);
  return (
    <Stack gap={4}>
      <Text size="sm">
        {words.lastAct}: {words.acts[act.action]} – {outcomes[act.outcome]}
        {', '}
        <TimeAgo at={act.endedAt} /> ({words.by(act.byName)}).{' '}
        {act.detail !== null && !made && <bdi>{noteInWords(act.detail, words.notes)}</bdi>}
      </Text>
      {made && <Notes notes={made.notes} />}
    </Stack>
  );
};

const ListFacts = ({ list }: { readonly list: NonNullable<ServerSaves['list']> }) => {
  const words = useWords(savesWords);
  const format = useFormat();
  const newest = list.backups.find(({ isDatedAhead }) => !isDatedAhead);
  const { nightly, freeBytes } = list;
  return (
    <Facts
      facts={[
        {
          label: words.last,
          value: newest ? (
            <>
              <TimeAgo at={newest.takenAt} />, {format.bytes(newest.bytes)}
            </>
          ) : (
            words.verdicts.none
          ),
        },
        {
          label: words.nightly,
          value: nightly ? words.nightlyOn(clockTime(nightly.atMinute)) : words.nightlyOff,
        },
        ...(nightly ? [{ label: words.lastNight, value: <LastNight last={nightly.last} /> }] : []),
        { label: words.free, value: freeBytes === null ? words.notKnown : format.bytes(freeBytes) },
      ]}
    />
  );
};

type Nightly = NonNullable<NonNullable<ServerSaves['list']>['nightly']>;

const LastNight = ({ last }: Pick<Nightly, 'last'>) => {
  const words = useWords(savesWords);
  if (!last) return words.noNight;
  return (
    <>
      <StateLabel tone={last.isTaken ? 'ok' : 'bad'}>
        {last.isTaken ? words.nightTaken : words.nightFailed}, <TimeAgo at={last.at} />
      </StateLabel>
      {last.detail !== null && (
        <Text size="sm">
          <bdi>{noteInWords(last.detail, words.notes)}</bdi>
        </Text>
      )}
    </>
  );
};
