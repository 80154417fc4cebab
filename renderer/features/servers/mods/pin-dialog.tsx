import { Text, Textarea, TextInput } from '@mantine/core';
import { modsHttp } from '#contracts/mods.ts';
import { FormDialog } from '../../../design/form-dialog.tsx';
import { notifyDone } from '../../../design/notify.ts';
import { useWords } from '../../../language/use-words.ts';
import { useChange } from '../../../wire/queries.ts';
import type { Installed } from './installed-list.tsx';
import { modsWords } from './mods.words.ts';

export interface PinDialogProps {
  readonly serverId: string;
  readonly mod: Installed;
  readonly onClose: () => void;
}

/** Keeps a mod at its version, and asks why and until when. */
export const PinDialog = ({ serverId, mod, onClose }: PinDialogProps) => {
  const words = useWords(modsWords);
  const pin = useChange(modsHttp.pin, [modsHttp.read]);
  return (
    <FormDialog
      title={<bdi>{words.pinTitle(`${mod.name} ${mod.versionName ?? ''}`.trim())}</bdi>}
      act={words.pinAct}
      isActing={pin.isPending}
      error={pin.error}
      onSubmit={(typed) => {
        const reason = String(typed.get('reason') ?? '').trim();
        const until = String(typed.get('until') ?? '').trim() || null;
        if (reason === '') return;
        pin.mutate(
          { params: { serverId, key: mod.key }, body: { reason, until } },
          {
            onSuccess: () => {
              notifyDone(words.isPinned(mod.name));
              onClose();
            },
          },
        );
      }}
      onClose={onClose}
    >
      <Text size="sm">{words.pinText}</Text>
      <Textarea
        name="reason"
        label={words.reason}
        description={words.reasonHelp}
        defaultValue={mod.pin?.reason ?? ''}
        maxLength={500}
        autosize
        minRows={2}
        required
        data-autofocus
      />
      <TextInput
        name="until"
        label={words.untilLabel}
        description={words.untilHelp}
        defaultValue={mod.pin?.until ?? ''}
        maxLength={500}
      />
    </FormDialog>
  );
};
