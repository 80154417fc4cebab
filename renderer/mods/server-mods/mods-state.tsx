import { Alert, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { IconChevronDown, IconPlus } from '@tabler/icons-react';
import type { InWords } from '#contracts/kernel/words.ts';
import type { ModsJob, PlanFault, ServerMods } from '#contracts/mods/mods.ts';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { gameDetails } from '#contracts/servers/game-details.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { ReasonedButton } from '../../kit/design/reasoned-button.tsx';
import { StateLabel, type Tone } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { FaultList } from '../mod-parts/fault-list.tsx';
import { JobLabel, JobProgress, JobReason } from '../mod-parts/job-view.tsx';
import { modPartsWords } from '../mod-parts/mod-parts.words.ts';
import classes from '../mod-parts/mod-rows.module.css';
import { canStillCancel, changesInWords, jobVerdict, stepInWords } from '../mod-parts/mods-in-words.ts';
import { modsWords } from './mods.words.ts';
import { ModsObstacle, useModsReason } from './mods-obstacle.tsx';
import { rereadMods } from './use-mods.ts';

/** Takes the focus when the element that has it is removed, as at the end of a job. */
const modsStatusId = 'mods-status';

/** A server's mods at a glance, and the buttons that add and update them. */
export const ModsState = (props: {
  readonly server: GameServer;
  readonly mods: ServerMods;
  readonly onSearch: () => void;
  readonly onUpload: () => void;
  readonly onAddress: () => void;
  readonly onUpdateAll: () => void;
  readonly onUndo: (job: ModsJob) => void;
}) => {
  const { server, mods, onSearch, onUpload, onAddress, onUpdateAll, onUndo } = props;
  const words = useWords(modsWords);
  const parts = useWords(modPartsWords);
  const mayAct = useCan()('mods.write', server.id);
  const reason = useModsReason(mods);
  const check = useChange(modsHttp.check, []);
  const { job, lastJob, obstacle, obstacleDetail, list, isAgentPresent } = mods;
  const updates = updatesOf(mods);
  const verdict = verdictOf(mods, words, parts);
  return (
    <Card
      title={words.title}
      actions={
        mayAct && (
          <Group gap={0} wrap="nowrap">
            <ReasonedButton
              leftSection={<IconPlus size={16} aria-hidden />}
              reason={reason}
              onClick={onSearch}
            >
              {words.add}
            </ReasonedButton>
            <Menu position="bottom-end" withinPortal={false}>
              <Menu.Target>
                <Button px="xs" ml={1} aria-label={words.more} disabled={reason !== null}>
                  <IconChevronDown size={16} aria-hidden />
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item onClick={onUpload}>{words.upload} …</Menu.Item>
                <Menu.Item onClick={onAddress}>{words.fromAddress} …</Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </Group>
        )
      }
    >
      <div role="status" id={modsStatusId} tabIndex={-1}>
        {job ? (
          <StateLabel tone="busy">
            {words.verdicts.job}: {stepInWords(job, parts)}
          </StateLabel>
        ) : (
          <StateLabel tone={verdict.tone}>{verdict.text}</StateLabel>
        )}
      </div>
      <Stack gap="sm" {...(list && { className: classes.slot })}>
        {job && <UnderWay serverId={server.id} job={job} mayCancel={mayAct} />}
        {obstacle !== null && <ModsObstacle serverId={server.id} code={obstacle} detail={obstacleDetail} />}
        {!job && lastJob && <LastJob job={lastJob} reason={reason} mayAct={mayAct} onUndo={onUndo} />}
        {list && !job && !lastJob && obstacle === null && (
          <Text size="sm" c="dimmed">
            {words.noJob}
          </Text>
        )}
      </Stack>
      {list?.pending != null && !job && (
        <Alert color="var(--tone-warn)" variant="outline" title={words.pending}>
          <bdi>{list.pending}</bdi>
        </Alert>
      )}
      {!mayAct && (
        <Text size="sm" c="dimmed">
          {words.mayNot}
        </Text>
      )}
      {list && !isAgentPresent && (
        <Text size="sm">
          {words.asOf} <TimeAgo at={list.at} />:
        </Text>
      )}
      {list && <StateFacts mods={mods} list={list} />}
      {list && (
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            loading={check.isPending}
            onClick={() =>
              check.mutate(
                { params: { serverId: server.id }, body: {} },
                {
                  onSuccess: () => notifyDone(words.checkDone),
                  onSettled: () => void rereadMods(server.id),
                },
              )
            }
          >
            {words.check}
          </Button>
          {mayAct && updates > 0 && (
            <ReasonedButton size="xs" variant="default" reason={reason} onClick={onUpdateAll}>
              {words.updateAll(updates)} …
            </ReasonedButton>
          )}
        </Group>
      )}
      {check.error && <Trouble error={check.error} />}
      <CheckNotes
        title={words.checkFaults}
        faults={mods.check?.faults.filter(({ code }) => code !== 'OTHER_LINE') ?? []}
      />
      <CheckNotes
        title={words.otherLines}
        faults={mods.check?.faults.filter(({ code }) => code === 'OTHER_LINE') ?? []}
      />
    </Card>
  );
};

const CheckNotes = ({ title, faults }: { readonly title: string; readonly faults: readonly PlanFault[] }) =>
  faults.length > 0 && (
    <details>
      <summary style={{ cursor: 'pointer' }}>
        <StateLabel tone="warn">{title}</StateLabel>
      </summary>
      <FaultList faults={faults} />
    </details>
  );

/** The number of updates for mods that follow them. */
const updatesOf = ({ list }: Pick<ServerMods, 'list'>): number =>
  list?.installed.filter(({ update, pin }) => update !== null && pin === null).length ?? 0;

/** The single most important fact. */
const verdictOf = (
  mods: ServerMods,
  words: InWords<(typeof modsWords)['en']>,
  parts: InWords<(typeof modPartsWords)['en']>,
): { readonly tone: Tone; readonly text: string } => {
  const { list, lastJob } = mods;
  if (!list) return { tone: 'idle', text: words.verdicts.unknown };
  const ended = lastJob && jobVerdict(lastJob);
  if (ended?.tone === 'bad') return { tone: 'bad', text: parts.verdicts[ended.says] };
  const changed = list.installed.filter(({ changedFiles }) => changedFiles.length > 0).length;
  if (changed > 0) return { tone: 'warn', text: words.verdicts.changed(changed) };
  const updates = updatesOf(mods);
  if (updates > 0) return { tone: 'busy', text: words.verdicts.updates(updates) };
  if (list.installed.length === 0) return { tone: 'idle', text: words.verdicts.none };
  return { tone: 'ok', text: words.verdicts.fine(list.installed.length) };
};

const UnderWay = (props: {
  readonly serverId: string;
  readonly job: ModsJob;
  readonly mayCancel: boolean;
}) => {
  const { serverId, job, mayCancel } = props;
  const words = useWords(modPartsWords);
  const cancel = useChange(modsHttp.cancel, [modsHttp.read]);
  return (
    <Stack gap="xs">
      <JobProgress job={job} />
      {mayCancel && !job.isCancelled && (
        <Group>
          <ReasonedButton
            size="xs"
            variant="default"
            reason={canStillCancel(job) ? null : words.cancelTooLate}
            isActing={cancel.isPending}
            onClick={() => {
              cancel.mutate({ params: { serverId, jobId: job.id } });
              // The button disappears once the job is cancelled.
              document.getElementById(modsStatusId)?.focus();
            }}
          >
            {words.cancel}
          </ReasonedButton>
        </Group>
      )}
      {cancel.error && <Trouble error={cancel.error} />}
    </Stack>
  );
};

const LastJob = (props: {
  readonly job: ModsJob;
  readonly reason: string | null;
  readonly mayAct: boolean;
  readonly onUndo: (job: ModsJob) => void;
}) => {
  const { job, reason, mayAct, onUndo } = props;
  const words = useWords(modsWords);
  const parts = useWords(modPartsWords);
  const format = useFormat();
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <div>
          <Text size="sm" c="dimmed" component="div">
            {words.lastJob}: {changesInWords(job.lines, parts, format)},{' '}
            <TimeAgo at={job.endedAt ?? job.requestedAt} /> (<bdi>{parts.by(job.byName)}</bdi>)
          </Text>
          {/* A failed one is shown above. */}
          {jobVerdict(job).tone !== 'bad' && <JobLabel job={job} />}
        </div>
        {mayAct && job.canUndo && (
          <ReasonedButton
            size="xs"
            variant="default"
            reason={reason}
            label={words.undoOf(format.time(job.endedAt ?? job.requestedAt))}
            onClick={() => onUndo(job)}
          >
            {words.undo} …
          </ReasonedButton>
        )}
      </Group>
      <JobReason job={job} foldsLines />
    </Stack>
  );
};

const StateFacts = ({
  mods,
  list,
}: {
  readonly mods: ServerMods;
  readonly list: NonNullable<ServerMods['list']>;
}) => {
  const words = useWords(modsWords);
  const parts = useWords(modPartsWords);
  const format = useFormat();
  const { loader, loaderVersion, gameVersion, freeBytes } = list;
  const { check } = mods;
  return (
    <Facts
      facts={[
        ...(gameDetails[mods.game].hasLoaders
          ? [
              {
                label: words.loader,
                value: loader ? `${parts.loaders[loader]} ${loaderVersion ?? ''}`.trim() : words.noLoader,
              },
            ]
          : []),
        { label: words.gameVersion, value: <bdi>{gameVersion ?? words.notKnown}</bdi> },
        {
          label: words.checked,
          value: check ? (
            <>
              <TimeAgo at={check.at} />
              {check.nextAt !== null && (
                <>
                  , {words.nextCheck} <TimeAgo at={check.nextAt} />
                </>
              )}
            </>
          ) : (
            words.never
          ),
        },
        { label: words.free, value: freeBytes === null ? words.notKnown : format.bytes(freeBytes) },
      ]}
    />
  );
};
