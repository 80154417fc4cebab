import { PasswordInput, Select, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type GameId, games } from '#contracts/games.ts';
import { type ShopKind, shopKinds } from '#contracts/shop-webhooks.ts';
import { type Shop, type ShopFields, shopsHttp } from '#contracts/shops.ts';
import { ConflictNotice } from '../../design/conflict-notice.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { notifyDone } from '../../design/notify.ts';
import { useVersionedForm } from '../../forms/use-versioned-form.ts';
import { useWords } from '../../language/use-words.ts';
import { useChange } from '../../wire/queries.ts';
import { shopsWords } from './shops.words.ts';

export interface ShopDialogProps {
  /** Its state when the change began; null: a new one. */
  readonly begun: Shop | null;
  readonly newest: Shop | null;
  readonly readNewest: () => Promise<unknown>;
  readonly onClose: () => void;
}

const draftOf = (shop: Shop | null): ShopFields => ({
  name: shop?.name ?? '',
  isEnabled: shop?.isEnabled ?? true,
  game: shop?.game ?? 'minecraft',
  allowsNames: shop?.allowsNames ?? false,
  checksAddress: shop?.checksAddress ?? false,
});

/** A shop itself; its products and secrets have their own dialogs. */
export const ShopDialog = ({ begun, newest, readNewest, onClose }: ShopDialogProps) => {
  const words = useWords(shopsWords);
  const [kind, setKind] = useState<ShopKind>(begun?.kind ?? 'tebex');
  const [draft, setDraft] = useState(() => draftOf(begun));
  const [secret, setSecret] = useState('');
  const [version, setVersion] = useState(begun?.version ?? 0);
  const create = useChange(shopsHttp.create, [shopsHttp.list]);
  const change = useChange(shopsHttp.change, [shopsHttp.list]);
  const form = useVersionedForm({
    version,
    newest: newest ?? undefined,
    readNewest,
    async send(over) {
      const typed = secret.trim();
      // The switch may have been set before another kind was chosen.
      const fields = { ...draft, checksAddress: kind === 'tebex' && draft.checksAddress };
      const saved = begun
        ? await change.mutateAsync({ params: { id: begun.id }, body: { version: over, ...fields } })
        : await create.mutateAsync({ body: { kind, ...fields, ...(typed !== '' && { secret: typed }) } });
      notifyDone(begun ? words.saved : words.added);
      onClose();
      return saved;
    },
  });
  const edit = (edited: Partial<ShopFields>) => {
    form.clear();
    setDraft({ ...draft, ...edited });
  };
  const { theirs } = form;
  return (
    <FormDialog
      title={begun ? words.editTitle : words.newTitle}
      act={begun ? words.save : words.create}
      isActing={form.isSaving}
      isReady={draft.name.trim() !== '' && theirs === null}
      error={form.error}
      onSubmit={() => void form.save()}
      onClose={onClose}
    >
      {!begun && (
        <Select
          label={words.kind}
          data={shopKinds.map((value) => ({ value, label: words.kinds[value] }))}
          value={kind}
          onChange={(value) => setKind(shopKinds.find((one) => one === value) ?? kind)}
          allowDeselect={false}
        />
      )}
      <TextInput
        label={words.name}
        required
        value={draft.name}
        onChange={({ currentTarget }) => edit({ name: currentTarget.value })}
        maxLength={80}
        data-autofocus
      />
      <Select
        label={words.game}
        description={words.gameHint}
        data={Object.entries(games).map(([value, { name }]) => ({ value, label: name }))}
        value={draft.game}
        onChange={(game) => game !== null && edit({ game: game as GameId })}
        allowDeselect={false}
      />
      {!begun && (
        <PasswordInput
          label={words.secret}
          description={words.secretHints[kind]}
          value={secret}
          onChange={({ currentTarget }) => {
            form.clear();
            setSecret(currentTarget.value);
          }}
          autoComplete="new-password"
          data-1p-ignore
          data-lpignore="true"
          visibilityToggleButtonProps={{ 'aria-label': words.show, tabIndex: 0 }}
        />
      )}
      <Switch
        label={words.allowsNames}
        description={words.allowsNamesHint}
        checked={draft.allowsNames}
        onChange={({ currentTarget }) => edit({ allowsNames: currentTarget.checked })}
      />
      {kind === 'tebex' && (
        <Switch
          label={words.checksAddress}
          description={words.checksAddressHint}
          checked={draft.checksAddress}
          onChange={({ currentTarget }) => edit({ checksAddress: currentTarget.checked })}
        />
      )}
      <Switch
        label={words.isEnabled}
        checked={draft.isEnabled}
        onChange={({ currentTarget }) => edit({ isEnabled: currentTarget.checked })}
      />
      {theirs && (
        <ConflictNotice
          title={words.theirs}
          isSaving={form.isSaving}
          onTakeTheirs={() => {
            setDraft(draftOf(theirs));
            setVersion(theirs.version);
            form.takeTheirs();
          }}
          onKeepMine={form.keepMine}
        >
          <bdi>{theirs.name}</bdi> · {games[theirs.game].name} · {theirs.isEnabled ? words.on : words.off}
        </ConflictNotice>
      )}
    </FormDialog>
  );
};
