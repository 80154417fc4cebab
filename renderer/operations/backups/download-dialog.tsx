import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { addressOf } from '#contracts/kernel/call-input.ts';
import { type BackupsStatus, backupsHttp } from '#contracts/operations/backups.ts';
import { PasswordField } from '../../identity/password-field.tsx';
import { callOnce } from '../../kit/api/call.ts';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { backupsWords } from '../backup-parts/backups.words.ts';

const leastLetters = 10;

/** Asks for a passphrase, and has the browser download the backup that it encrypts. */
export const DownloadDialog = ({
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
