import { Text, Textarea, TextInput } from '@mantine/core';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { useChange } from '../../kit/api/queries.ts';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { useWords } from '../../kit/language/use-words.ts';
import type { Installed } from './installed-list.tsx';
import { modsWords } from './mods.words.ts';

export interface PinDraft {
  readonly reason: string;
  readonly until: string;
}

interface PinDialogProps {
  readonly serverId: string;
  readonly mod: Installed;
  /** The earlier input; null: none. */
  readonly draft: PinDraft | null;
  /** Null: the mod was pinned. */
  readonly onType: (draft: PinDraft | null) => void;
  readonly onClose: () => void;
}

/** Pins a mod to its version, and asks why and until when. */
export const PinDialog = ({ serverId, mod, draft, onType, onClose }: PinDialogProps) => {
  const words = useWords(modsWords);
  const pin = useChange(modsHttp.pin, [modsHttp.read]);
  const fields = draft ?? { reason: mod.pin?.reason ?? '', until: mod.pin?.until ?? '' };
  return (
    <FormDialog
      title={<bdi>{words.pinTitle(`${mod.name} ${mod.versionName ?? ''}`.trim())}</bdi>}
      act={words.pinAct}
      isActing={pin.isPending}
      error={pin.error}
      onSubmit={() => {
        const reason = fields.reason.trim();
        const until = fields.until.trim() || null;
        if (reason === '') return;
        pin.mutate(
          { params: { serverId, key: mod.key }, body: { reason, until } },
          {
            onSuccess: () => {
              notifyDone(words.isPinned(mod.name));
              onType(null);
              onClose();
            },
          },
        );
      }}
      onClose={onClose}
    >
      <Text size="sm">{words.pinText}</Text>
      <Textarea
        label={words.reason}
        description={words.reasonHelp}
        value={fields.reason}
        onChange={({ currentTarget }) => onType({ ...fields, reason: currentTarget.value })}
        maxLength={500}
        autosize
        minRows={2}
        required
        data-autofocus
      />
      <TextInput
        label={words.untilLabel}
        description={words.untilHelp}
        value={fields.until}
        onChange={({ currentTarget }) => onType({ ...fields, until: currentTarget.value })}
        maxLength={500}
      />
    </FormDialog>
  );
};
