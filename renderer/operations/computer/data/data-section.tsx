import { Alert, Button, Code, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type {
  DataFolderNews,
  DataFolderReport,
  DataFolderState,
} from '#contracts/desktop/desktop-data-folder.ts';
import type { Format } from '#contracts/kernel/format.ts';
import type { Language } from '#contracts/kernel/language.ts';
import { folderFindingWords } from '#contracts/operations/folder-findings.ts';
import { useCan } from '../../../kit/access/access-state.ts';
import { callDesktop, onDesktop } from '../../../kit/api/desktop-bridge.ts';
import { Card } from '../../../kit/design/card.tsx';
import { ConfirmAction } from '../../../kit/design/confirm-action.tsx';
import { useFormat } from '../../../kit/language/use-format.ts';
import { useWords } from '../../../kit/language/use-words.ts';
import { ActionFailed } from '../../action-failed.tsx';
import { BackupCard, useBackups } from '../../backup-parts/backup-card.tsx';
import { useDesktopAction } from '../../use-desktop-action.ts';
import { FailureAlert } from '../desktop-actions/failure-alert.tsx';
import { FindingDetail, FolderWarningText } from '../desktop-actions/folder-finding.tsx';
import { dataWords } from './data.words.ts';
import { RestoreCard } from './restore-card.tsx';

/** Null if there is no objection. */
const faultOf = (
  report: DataFolderReport,
  words: (typeof dataWords)[Language],
  findings: (typeof folderFindingWords)[Language],
  format: Format,
) => {
  if (report.outcome === 'fine') return null;
  if (report.outcome === 'full')
    return words.full(format.bytes(report.neededBytes), format.bytes(report.freeBytes));
  return { ...findings, ...words.wrong }[report.outcome];
};

/** Chooses a folder, has it checked, and starts the move. */
const MoveForm = () => {
  const words = useWords(dataWords);
  const findings = useWords(folderFindingWords);
  const format = useFormat();
  const act = useDesktopAction();
  const [folder, setFolder] = useState('');
  const [report, setReport] = useState<DataFolderReport | null>(null);
  const name = (chosen: string) => {
    setReport(null);
    setFolder(chosen);
  };
  const choose = () =>
    act.run(async () => {
      const { folder: chosen } = await callDesktop('dataFolder.choose', undefined);
      if (chosen !== null) name(chosen);
    });
  const isFine = report?.outcome === 'fine';
  const goOn = () =>
    act.run(async () => {
      const asked = { folder: folder.trim() };
      setReport(await callDesktop(isFine ? 'dataFolder.move' : 'dataFolder.check', asked));
    });
  const fault = report && faultOf(report, words, findings, format);
  return (
    <Card title={words.move}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (folder.trim() !== '') void goOn();
        }}
      >
        <Stack gap="sm">
          <Text>{words.moveText}</Text>
          <TextInput
            label={words.label}
            value={folder}
            onChange={({ currentTarget }) => name(currentTarget.value)}
            error={fault}
            readOnly={act.isActing}
            spellCheck={false}
            autoComplete="off"
            maxLength={1000}
            required
          />
          {report && 'detail' in report && <FindingDetail finding={report} />}
          <div role="status">
            {report?.outcome === 'fine' &&
              report.warnings.map((warning) => <FolderWarningText key={warning.code} warning={warning} />)}
            {report?.outcome === 'fine' &&
              words.fine(
                format.bytes(report.bytes),
                format.number(report.files),
                format.bytes(report.freeBytes),
              )}
          </div>
          {act.error !== null && <ActionFailed error={act.error} />}
          <Group gap="xs">
            <Button variant="default" onClick={choose} disabled={act.isActing}>
              {words.choose}
            </Button>
            <Button type="submit" variant={isFine ? 'filled' : 'default'} loading={act.isActing}>
              {isFine ? words.begin : words.check}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
};

interface FolderCardProps {
  readonly onState: (state: DataFolderState) => void;
}

const Folder = ({ path }: { readonly path: string }) => (
  <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
    {path}
  </Code>
);

interface KeptFolderProps extends FolderCardProps {
  readonly kept: NonNullable<DataFolderState['kept']>;
}

/** The old data folder after a move: kept until a person has it deleted. */
const KeptFolder = ({ kept: { folder, bytes, isDeletable }, onState }: KeptFolderProps) => {
  const words = useWords(dataWords);
  const format = useFormat();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Card title={words.kept}>
      <Folder path={folder} />
      <Text>{words.keptText(format.bytes(bytes))}</Text>
      {!isDeletable && <Text c="dimmed">{words.keptWait}</Text>}
      <Group>
        <Button variant="default" disabled={!isDeletable} onClick={() => setIsAsking(true)}>
          {words.deleteKept}
        </Button>
      </Group>
      {isAsking && (
        <ConfirmAction
          title={words.deleteKeptTitle}
          act={words.deleteAct}
          onAction={async () => onState(await callDesktop('dataFolder.deleteKept', undefined))}
          onClose={() => setIsAsking(false)}
        >
          <Text style={{ overflowWrap: 'anywhere' }}>
            {words.deleteKeptText(folder, format.bytes(bytes))}
          </Text>
        </ConfirmAction>
      )}
    </Card>
  );
};

/** The leftovers of an interrupted move. */
const HalfCopy = ({
  folder,
  onState,
}: FolderCardProps & {
  readonly folder: string;
}) => {
  const words = useWords(dataWords);
  const act = useDesktopAction();
  const remove = () => act.run(async () => onState(await callDesktop('dataFolder.deleteHalf', undefined)));
  return (
    <Card title={words.half}>
      <Folder path={folder} />
      <Text>{words.halfText}</Text>
      {act.error !== null && <ActionFailed error={act.error} />}
      <Group>
        <Button variant="default" onClick={remove} loading={act.isActing}>
          {words.deleteHalf}
        </Button>
      </Group>
    </Card>
  );
};

interface NewsProps {
  readonly news: DataFolderNews;
  readonly isRunning: boolean;
}

/** The result of the last move. */
const News = ({ news: { outcome, detail }, isRunning }: NewsProps) => {
  const words = useWords(dataWords);
  if (outcome === 'failed' || outcome === 'went-back')
    return (
      <FailureAlert title={words.news[outcome]} detail={detail}>
        {null}
      </FailureAlert>
    );
  const isWell = outcome === 'cancelled' || isRunning;
  return (
    <Alert color={isWell ? 'var(--tone-ok)' : 'var(--tone-warn)'} variant="outline" role="status">
      <Text>{outcome === 'moved' && !isRunning ? words.news.movedOnly : words.news[outcome]}</Text>
    </Alert>
  );
};

/** Nothing while the API does not answer: the page works without it. */
const Backups = () => {
  const { data } = useBackups();
  return data ? <BackupCard status={data} hasButton /> : null;
};

/** Where the data folder is, and how to move it. */
export const Section = () => {
  const words = useWords(dataWords);
  const mayBackUp = useCan()('backups.read');
  const { error, run } = useDesktopAction();
  const [state, setState] = useState<DataFolderState | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the section appears
  useEffect(() => {
    void run(async () => setState(await callDesktop('dataFolder.state', undefined)));
  }, []);
  const isWaiting = state?.kept?.isDeletable === false;
  useEffect(() => {
    if (!isWaiting) return;
    // Right after a move, the API is still starting.
    return onDesktop('stack.changed', () => {
      callDesktop('dataFolder.state', undefined).then(setState, () => undefined);
    });
  }, [isWaiting]);
  if (state === null)
    return (
      <Card title={words.title}>
        {error === null ? <Loader role="status" /> : <ActionFailed error={error} />}
      </Card>
    );
  const { home, fixedBy, news, kept, half } = state;
  return (
    <Stack>
      <Card title={words.title}>
        {news && <News news={news} isRunning={kept === null || kept.isDeletable} />}
        <Text>{words.text}</Text>
        <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {home}
        </Code>
        {fixedBy !== null && <Text c="dimmed">{words.fixed[fixedBy]}</Text>}
      </Card>
      {mayBackUp && <Backups />}
      <RestoreCard />
      {kept && <KeptFolder kept={kept} onState={setState} />}
      {half !== null && <HalfCopy folder={half} onState={setState} />}
      {fixedBy === null && <MoveForm />}
    </Stack>
  );
};
