import { Button, Group, PasswordInput, Text } from '@mantine/core';
import { useState } from 'react';
import { mostShopSecrets, type Shop, shopsHttp } from '#contracts/shops.ts';
import { FormDialog } from '../../design/form-dialog.tsx';
import { TimeAgo } from '../../design/time-ago.tsx';
import { useWords } from '../../language/use-words.ts';
import { useChange } from '../../wire/queries.ts';
import { shopsWords } from './shops.words.ts';

export interface ShopSecretsDialogProps {
  readonly shop: Shop;
  readonly onClose: () => void;
}

/** The secrets of a shop: added and removed, never shown. */
export const ShopSecretsDialog = ({ shop, onClose }: ShopSecretsDialogProps) => {
  const words = useWords(shopsWords);
  const [typed, setTyped] = useState('');
  const add = useChange(shopsHttp.addSecret, [shopsHttp.list]);
  const remove = useChange(shopsHttp.removeSecret, [shopsHttp.list]);
  const isFull = shop.secrets.length >= mostShopSecrets;
  return (
    <FormDialog
      title={words.secretsTitle(shop.name)}
      act={isFull ? null : words.addSecret}
      isActing={add.isPending}
      isReady={typed.trim() !== ''}
      error={add.error ?? remove.error}
      leave={words.close}
      onSubmit={() =>
        add.mutate(
          { params: { id: shop.id }, body: { secret: typed.trim() } },
          { onSuccess: () => setTyped('') },
        )
      }
      onClose={onClose}
    >
      <Text>{words.secretsText}</Text>
      {shop.secrets.map(({ id, createdAt, fault }, index) => (
        <Group key={id} justify="space-between" gap="xs">
          <Text size="sm" component="div">
            {words.addedAt}: <TimeAgo at={createdAt} />
            {fault !== null && <Text size="sm">{words.unreadableText}</Text>}
          </Text>
          <Button
            size="xs"
            variant="default"
            loading={remove.isPending && remove.variables.params.secretId === id}
            aria-label={words.removeSecret(index + 1)}
            onClick={() => remove.mutate({ params: { id: shop.id, secretId: id }, body: {} })}
          >
            {words.remove}
          </Button>
        </Group>
      ))}
      {!isFull && (
        <PasswordInput
          label={words.secret}
          description={words.secretHints[shop.kind]}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          autoComplete="new-password"
          data-1p-ignore
          data-lpignore="true"
          visibilityToggleButtonProps={{ 'aria-label': words.show, tabIndex: 0 }}
          data-autofocus
        />
      )}
    </FormDialog>
  );
};
