import { Button, Group, Stack, Text } from '@mantine/core';
import type { ModsJob, ServerMods } from '#contracts/mods/mods.ts';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { usePagedRead } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { Loading } from '../../kit/design/loading.tsx';
import { ReasonedButton } from '../../kit/design/reasoned-button.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { JobLabel, JobReason } from '../mod-parts/job-view.tsx';
import { modPartsWords } from '../mod-parts/mod-parts.words.ts';
import classes from '../mod-parts/mod-rows.module.css';
import { changesInWords } from '../mod-parts/mods-in-words.ts';
import { PlanLines } from '../mod-parts/plan-lines.tsx';
import { modsWords } from './mods.words.ts';
import { useModsReason } from './mods-obstacle.tsx';

/** The past changes of a server's mods, the newest first. */
export const JobHistory = (props: {
  readonly serverId: string;
  readonly mods: ServerMods;
  readonly mayAct: boolean;
  readonly onUndo: (job: ModsJob) => void;
}) => {
  const { serverId, mods, mayAct, onUndo } = props;
  const words = useWords(modsWords);
  const read = usePagedRead(modsHttp.jobs, { params: { serverId } });
  const reason = useModsReason(mods);
  const { rows } = read;
  return (
    <Card title={words.history}>
      {read.error && rows.length === 0 ? (
        <Trouble error={read.error} onRetry={read.reload} />
      ) : read.isPending ? (
        <Loading />
      ) : rows.length === 0 ? (
        <EmptyState title={words.noHistory} text={words.noHistoryText} />
      ) : (
        <ul className={classes.list} aria-label={words.history}>
          {rows.map((job) => (
            <Row key={job.id} job={job} reason={reason} mayAct={mayAct} onUndo={onUndo} />
          ))}
        </ul>
      )}
      {read.hasMore && (
        <Group>
          <Button size="xs" variant="default" loading={read.isLoadingMore} onClick={read.loadMore}>
            {words.showMore}
          </Button>
        </Group>
      )}
    </Card>
  );
};

const Row = (props: {
  readonly mayAct: boolean;
  readonly onUndo: (job: ModsJob) => void;
  readonly job: ModsJob;
  readonly reason: string | null;
}) => {
  const { job, reason, mayAct, onUndo } = props;
  const words = useWords(modsWords);
  const parts = useWords(modPartsWords);
  const format = useFormat();
  const at = job.endedAt ?? job.requestedAt;
  return (
    <li className={classes.row}>
      <Stack gap={2} className={classes.what}>
        <Text fw={600}>{changesInWords(job.lines, parts, format)}</Text>
        <JobLabel job={job} />
        <div className={classes.quiet}>
          <TimeAgo at={at} />
          <bdi>{parts.by(job.byName)}</bdi>
        </div>
        {job.lines.length > 0 && (
          <details>
            <summary className={classes.summary}>{words.details}</summary>
            <PlanLines lines={job.lines} />
            <JobReason job={job} />
          </details>
        )}
      </Stack>
      {mayAct && job.canUndo && (
        <div className={classes.acts}>
          <ReasonedButton
            size="xs"
            variant="default"
            reason={reason}
            label={words.undoOf(`${format.date(at)}, ${format.time(at)}`)}
            onClick={() => onUndo(job)}
          >
            {words.undo} …
          </ReasonedButton>
        </div>
      )}
    </li>
  );
};
