import { Button, Code, Group, ScrollArea, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { addressOf } from '#contracts/kernel/call-input.ts';
import { type BackupsStatus, backupsHttp } from '#contracts/operations/backups.ts';
import { PasswordField } from '../../identity/password-field.tsx';
import { useCan, useMe } from '../../kit/access/access-state.ts';
import { callOnce } from '../../kit/api/call.ts';
import { desktopBridge } from '../../kit/api/desktop-bridge.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { BackUpNow, BackupCard, useBackups } from '../backup-parts/backup-card.tsx';
import { CauseText, Check, Taken } from '../backup-parts/backup-cells.tsx';
import { backupsWords } from '../backup-parts/backups.words.ts';

const leastLetters = 10;

/** Asks for a passphrase, and has the browser download the backup that it encrypts. */
const DownloadDialog = ({
  backup: { name, takenAt },
  onClose,
}: {
  readonly backup: BackupsStatus['backups'][number];
  readonly onClose: () => void;
}) => {
  const words = useWords(backupsWords);
  const format = useFormat();
  const [isActing, setIsActing] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [isDifferent, setIsDifferent] = useState(false);

  const prepare = async (typed: FormData) => {
    const passphrase = String(typed.get('passphrase') ?? '');
    setIsDifferent(passphrase !== typed.get('again'));
    if (passphrase !== typed.get('again')) return;
    setIsActing(true);
    setError(null);
    try {
      const { id } = await callOnce(backupsHttp.prepareDownload, { params: { name }, body: { passphrase } });
      // The browser writes it to the disk as it comes, whatever its size.
      const href = addressOf(backupsHttp.download.path, { id }, undefined);
      Object.assign(document.createElement('a'), { href, download: '' }).click();
      notifyDone(words.downloadStarted);
      onClose();
    } catch (failure) {
      setError(failure);
      setIsActing(false);
    }
  };
  return (
    <FormDialog
      title={words.downloadTitle(`${format.date(takenAt)}, ${format.minute(takenAt)}`)}
      act={words.downloadAct}
      isActing={isActing}
      error={error}
      onSubmit={(typed) => void prepare(typed)}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text>{words.downloadText}</Text>
        <PasswordField
          name="passphrase"
          label={words.passphrase}
          autoComplete="new-password"
          minLength={leastLetters}
          isFirst
        />
        <PasswordField
          name="again"
          label={words.passphraseAgain}
          autoComplete="new-password"
          {...(isDifferent && { error: words.passphraseDiffers })}
        />
        <Text size="sm" c="dimmed">
          {words.passphraseText}
        </Text>
      </Stack>
    </FormDialog>
  );
};

export const Page = () => {
  const words = useWords(backupsWords);
  const read = useBackups();
  return (
    <Frame
      title={words.title}
      description={words.description}
      actions={read.data && <BackUpNow status={read.data} />}
    >
      <AsyncContent read={read}>
        {(status) => (
          <>
            <BackupCard status={status} />
            <KeptCard backups={status.backups} />
          </>
        )}
      </AsyncContent>
    </Frame>
  );
};

const KeptCard = ({ backups }: Pick<BackupsStatus, 'backups'>) => {
  const words = useWords(backupsWords);
  const format = useFormat();
  const can = useCan();
  const command = `castellan restore backups/${backups.find(({ isDatedAhead }) => !isDatedAhead)?.name ?? 'NAME'}`;
  const { kind: me, account } = useMe();
  const isOwner = me === 'desktop' || account?.role === 'owner';
  const [chosen, setChosen] = useState<BackupsStatus['backups'][number] | null>(null);
  return (
    <Card title={words.kept}>
      {chosen && <DownloadDialog backup={chosen} onClose={() => setChosen(null)} />}
      <Stack gap="sm">
        {backups.length === 0 ? (
          <Text>{words.empty}</Text>
        ) : (
          <ScrollArea
            type="auto"
            offsetScrollbars="present"
            viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': words.kept }}
          >
            <Table aria-label={words.kept} miw="34rem">
              <Table.Thead>
                <Table.Tr>
                  {[words.when, words.kind, words.reason, words.check].map((header) => (
                    <Table.Th key={header} scope="col">
                      {header}
                    </Table.Th>
                  ))}
                  <Table.Th scope="col" ta="end">
                    {words.size}
                  </Table.Th>
                  {isOwner && (
                    <Table.Th scope="col">
                      <VisuallyHidden>{words.download}</VisuallyHidden>
                    </Table.Th>
                  )}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {backups.map((backup) => {
                  const { name, takenAt, kind, cause, bytes, ...compared } = backup;
                  return (
                    <Table.Tr key={name}>
                      <Table.Td style={{ whiteSpace: 'nowrap' }}>
                        <Taken {...backup} />
                      </Table.Td>
                      <Table.Td style={{ whiteSpace: 'nowrap' }}>{words.kinds[kind]}</Table.Td>
                      <Table.Td>
                        <CauseText cause={cause} />
                      </Table.Td>
                      <Table.Td>
                        <Check {...compared} />
                      </Table.Td>
                      <Table.Td ta="end" style={{ whiteSpace: 'nowrap' }}>
                        {bytes === null ? '–' : format.bytes(bytes)}
                      </Table.Td>
                      {isOwner && (
                        <Table.Td ta="end">
                          {kind !== 'database' && compared.fault === null && (
                            <Button
                              variant="default"
                              size="compact-sm"
                              aria-label={words.downloadOf(
                                `${format.date(takenAt)}, ${format.minute(takenAt)}`,
                              )}
                              onClick={() => setChosen(backup)}
                            >
                              {words.download}
                            </Button>
                          )}
                        </Table.Td>
                      )}
                    </Table.Tr>
                  );
                })}
              </Table.Tbody>
            </Table>
          </ScrollArea>
        )}
        <Text size="sm" c="dimmed">
          {words.rules}
        </Text>
        {can('settings.read') && (
          <PanelLink size="sm" to="/settings/backups">
            {words.schedule}
          </PanelLink>
        )}
        {desktopBridge() ? (
          <PanelLink size="sm" to="/computer/data">
            {words.restoreHere}
          </PanelLink>
        ) : (
          <>
            <Text size="sm">{words.restore}</Text>
            <Group gap="xs" wrap="nowrap">
              <Code dir="ltr">{command}</Code>
              <CopyButton value={command} label={words.copyCommand} />
            </Group>
          </>
        )}
      </Stack>
    </Card>
  );
};
