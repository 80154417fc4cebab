import { PasswordInput, Select, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type GameId, games } from '#contracts/servers/games.ts';
import { type ShopKind, shopKinds } from '#contracts/storefronts/shop-webhooks.ts';
import { type Shop, type ShopFields, shopsHttp } from '#contracts/storefronts/shops.ts';
import { useChange } from '../../kit/api/queries.ts';
import { DraftDialog } from '../../kit/forms/draft-dialog.tsx';
import { useDraftForm } from '../../kit/forms/use-draft-form.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { shopsWords } from './shops.words.ts';

const draftOf = (shop: Shop | null): ShopFields => ({
  name: shop?.name ?? '',
  isEnabled: shop?.isEnabled ?? true,
  game: shop?.game ?? 'minecraft',
  allowsNames: shop?.allowsNames ?? false,
  checksAddress: shop?.checksAddress ?? false,
});

/** A shop itself; its products and secrets have their own dialogs. */
export const ShopDialog = (props: {
  /** Its state when the change began; null: a new one. */
  readonly begun: Shop | null;
  readonly newest: Shop | null;
  readonly readNewest: () => Promise<unknown>;
  readonly onClose: () => void;
}) => {
  const { begun, newest, readNewest, onClose } = props;
  const words = useWords(shopsWords);
  const [kind, setKind] = useState<ShopKind>(begun?.kind ?? 'tebex');
  const [secret, setSecret] = useState('');
  const create = useChange(shopsHttp.create, [shopsHttp.list]);
  const change = useChange(shopsHttp.change, [shopsHttp.list]);
  const typed = secret.trim();
  const form = useDraftForm({
    begun,
    newest: newest ?? undefined,
    readNewest,
    draftOf,
    // The switch may have been set before another kind was chosen.
    bodyOf: (fields) => ({ ...fields, checksAddress: kind === 'tebex' && fields.checksAddress }),
    send: (body, version) =>
      begun
        ? change.mutateAsync({ params: { id: begun.id }, body: { version, ...body } })
        : create.mutateAsync({ body: { kind, ...body, ...(typed !== '' && { secret: typed }) } }),
    savedText: begun ? words.saved : words.added,
    onClose,
  });
  const { draft, edit } = form;
  return (
    <DraftDialog
      form={form}
      words={words}
      isReady={draft.name.trim() !== ''}
      theirs={({ name, game, isEnabled }) => (
        <>
          <bdi>{name}</bdi> · {games[game].name} · {isEnabled ? words.on : words.off}
        </>
      )}
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
    </DraftDialog>
  );
};
