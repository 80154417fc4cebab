import { Alert, Button, Code, Group, ScrollArea, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { RestoreNews, RestoreState } from '#contracts/desktop/desktop-restore.ts';
import { callDesktop, onDesktop } from '../../../kit/api/desktop-bridge.ts';
import { Card } from '../../../kit/design/card.tsx';
import { ConfirmAction } from '../../../kit/design/confirm-action.tsx';
import { useFormat } from '../../../kit/language/use-format.ts';
import { useWords } from '../../../kit/language/use-words.ts';
import { Check, Taken } from '../../backup-parts/backup-cells.tsx';
import { backupsWords } from '../../backup-parts/backups.words.ts';
import { FailureAlert } from '../desktop-actions/failure-alert.tsx';
import { restoreWords } from './restore.words.ts';

type Backup = RestoreState['backups'][number];
type Kept = RestoreState['kept'][number];
type Question =
  | { readonly act: 'restore'; readonly backup: Backup }
  | { readonly act: 'back' | 'remove'; readonly kept: Kept };

const useWhen = () => {
  const format = useFormat();
  return (iso: string) => `${format.date(iso)}, ${format.minute(iso)}`;
};

/** The result of the last restore. */
const News = ({ news: { outcome, detail } }: { readonly news: RestoreNews }) => {
  const words = useWords(restoreWords);
  const when = useWhen();
  if (outcome === 'failed')
    return (
      <FailureAlert title={words.news.failed} detail={detail}>
        {null}
      </FailureAlert>
    );
  return (
    <Alert color="var(--tone-ok)" variant="outline" role="status">
      <Text>{outcome === 'restored' ? words.news.restored(when(detail ?? '')) : words.news[outcome]}</Text>
    </Alert>
  );
};

/** Everything that a restore, a way back or a deletion asks, in one dialog. */
const Ask = (props: {
  readonly question: Question;
  readonly onState: (state: RestoreState) => void;
  readonly onClose: () => void;
}) => {
  const { question, onState, onClose } = props;
  const words = useWords(restoreWords);
  const format = useFormat();
  const when = useWhen();
  if (question.act === 'restore') {
    const { name, takenAt } = question.backup;
    return (
      <ConfirmAction
        title={words.question(when(takenAt))}
        act={words.act}
        onAction={() => callDesktop('restore.begin', { name })}
        onClose={onClose}
      >
        <Stack gap="xs">
          <Text>{words.questionText}</Text>
          <Text>{words.loses(when(takenAt))}</Text>
        </Stack>
      </ConfirmAction>
    );
  }
  const { name, bytes } = question.kept;
  return question.act === 'back' ? (
    <ConfirmAction
      title={words.backQuestion}
      act={words.backAct}
      onAction={() => callDesktop('restore.goBack', { name })}
      onClose={onClose}
    >
      <Text>{words.backText}</Text>
    </ConfirmAction>
  ) : (
    <ConfirmAction
      title={words.removeQuestion}
      act={words.removeAct}
      onAction={async () => onState(await callDesktop('restore.deleteKept', { name }))}
      onClose={onClose}
    >
      <Text>{words.removeText(format.bytes(bytes))}</Text>
    </ConfirmAction>
  );
};

const BackupsTable = ({
  backups,
  onRestore,
}: {
  readonly backups: readonly Backup[];
  /** Null: not here. */
  readonly onRestore: ((backup: Backup) => void) | null;
}) => {
  const words = useWords(restoreWords);
  const listed = useWords(backupsWords);
  const format = useFormat();
  const when = useWhen();
  return (
    <ScrollArea
      type="auto"
      offsetScrollbars="present"
      viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': words.title }}
    >
      <Table aria-label={words.title} miw="34rem">
        <Table.Thead>
          <Table.Tr>
            {[listed.when, listed.kind, words.version, listed.check, listed.size].map((header) => (
              <Table.Th key={header} scope="col">
                {header}
              </Table.Th>
            ))}
            {onRestore && (
              <Table.Th scope="col">
                <VisuallyHidden>{words.restore}</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {backups.map((backup) => (
            <Table.Tr key={backup.name}>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                <Taken {...backup} />
              </Table.Td>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>{listed.kinds[backup.kind]}</Table.Td>
              <Table.Td>{backup.version ?? '–'}</Table.Td>
              <Table.Td>
                <Check {...backup} />
              </Table.Td>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                {backup.bytes === null ? '–' : format.bytes(backup.bytes)}
              </Table.Td>
              {onRestore && (
                <Table.Td ta="end">
                  <Button
                    variant="default"
                    size="compact-sm"
                    disabled={backup.fault !== null}
                    aria-label={words.restoreOf(when(backup.takenAt))}
                    onClick={() => onRestore(backup)}
                  >
                    {words.restore}
                  </Button>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
};

/** What restores have replaced, and the way back to it. */
const KeptCard = (props: {
  readonly kept: readonly Kept[];
  readonly isHere: boolean;
  readonly isDeletable: boolean;
  readonly onAsk: (question: Question) => void;
}) => {
  const { kept, isHere, isDeletable, onAsk } = props;
  const words = useWords(restoreWords);
  const format = useFormat();
  const when = useWhen();
  return (
    <Card title={words.kept}>
      <Stack gap="md">
        <Text>{words.keptText}</Text>
        {kept.map((one) => (
          <Stack key={one.name} gap="xs">
            <Text>
              {one.takenAt === null
                ? words.replaced(when(one.replacedAt))
                : words.replacedBy(when(one.replacedAt), when(one.takenAt))}
              {` (${format.bytes(one.bytes)})`}
            </Text>
            {isHere && (
              <Group gap="xs">
                <Button variant="default" onClick={() => onAsk({ act: 'back', kept: one })}>
                  {words.back}
                </Button>
                <Button
                  variant="default"
                  disabled={!isDeletable}
                  onClick={() => onAsk({ act: 'remove', kept: one })}
                >
                  {words.remove}
                </Button>
              </Group>
            )}
          </Stack>
        ))}
        {isHere && !isDeletable && <Text c="dimmed">{words.removeWait}</Text>}
      </Stack>
    </Card>
  );
};

/** Castellan's own backups, to be restored here; it works without the API. */
export const RestoreCard = () => {
  const words = useWords(restoreWords);
  const [state, setState] = useState<RestoreState | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const isWaiting = state?.isDeletable === false;
  useEffect(() => {
    const read = () => callDesktop('restore.state', undefined).then(setState, () => undefined);
    void read();
    // Right after a restore, Castellan is still starting.
    return isWaiting ? onDesktop('stack.changed', () => void read()) : undefined;
  }, [isWaiting]);
  if (state === null) return null;
  const { heldBy, obstacle, backups, kept, isDeletable, news } = state;
  const isHere = heldBy === null;
  return (
    <>
      <Card title={words.title}>
        <Stack gap="sm">
          {news && <News news={news} />}
          <Text>{words.text}</Text>
          {!isHere && (
            <>
              <Text>{words.services}</Text>
              <Code block>
                {'castellan services uninstall\ncastellan restore …\ncastellan services install'}
              </Code>
            </>
          )}
          {obstacle !== null && <Text lang="en">{obstacle}</Text>}
          {obstacle === null && backups.length === 0 && <Text>{words.empty}</Text>}
          {backups.length > 0 && (
            <BackupsTable
              backups={backups}
              onRestore={isHere ? (backup) => setQuestion({ act: 'restore', backup }) : null}
            />
          )}
        </Stack>
      </Card>
      {kept.length > 0 && <KeptCard {...{ kept, isHere, isDeletable }} onAsk={setQuestion} />}
      {question && <Ask question={question} onState={setState} onClose={() => setQuestion(null)} />}
    </>
  );
};
