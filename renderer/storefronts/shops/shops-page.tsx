import { Button, Group, PasswordInput, Text } from '@mantine/core';
import { useState } from 'react';
import { mostShopSecrets, type Shop, shopsHttp } from '#contracts/storefronts/shops.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange, useRead } from '../../kit/api/queries.ts';
import { AddButton } from '../../kit/design/add-button.tsx';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Together } from '../../kit/design/together.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { type OpenedDialog, ShopCard } from './shop-card.tsx';
import { ShopDialog } from './shop-dialog.tsx';
import { ShopGuide } from './shop-guide.tsx';
import { ShopOrdersList } from './shop-orders-list.tsx';
import { ShopProductsDialog } from './shop-products-dialog.tsx';
import { shopsWords } from './shops.words.ts';
import { WaitingOrders } from './waiting-orders.tsx';

/** The secrets of a shop: added and removed, never shown. */
const ShopSecretsDialog = ({ shop, onClose }: { readonly shop: Shop; readonly onClose: () => void }) => {
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

/** Removes a shop; one with orders is switched off instead. */
const RemoveShop = ({ shop, onClose }: { readonly shop: Shop; readonly onClose: () => void }) => {
  const words = useWords(shopsWords);
  const remove = useChange(shopsHttp.remove, [shopsHttp.list]);
  const change = useChange(shopsHttp.change, [shopsHttp.list]);
  const { id, version, name, game, allowsNames, checksAddress, hasOrders } = shop;
  if (!hasOrders)
    return (
      <ConfirmAction
        title={words.deleteTitle(name)}
        act={words.delete}
        onAction={() => remove.mutateAsync({ params: { id } })}
        doneText={words.deleted}
        onClose={onClose}
      >
        <Text>{words.deleteText}</Text>
      </ConfirmAction>
    );
  return (
    <ConfirmAction
      title={words.switchOffTitle(name)}
      act={words.switchOff}
      onAction={() => {
        const body = { version, name, game, allowsNames, checksAddress, isEnabled: false };
        return change.mutateAsync({ params: { id }, body });
      }}
      doneText={words.switchedOff}
      onClose={onClose}
    >
      <Text>{words.switchOffText}</Text>
    </ConfirmAction>
  );
};

const everyMs = 10_000;

interface Opened {
  /** Null: a new one. */
  readonly shop: Shop | null;
  readonly dialog: OpenedDialog;
  /** Products of the shop that an order waits for. */
  readonly missing?: readonly string[];
}

/** Shops outside Castellan, and the orders that they report. */
export const Page = () => {
  const words = useWords(shopsWords);
  const mayChange = useCan()('shops.write');
  const read = useRead(shopsHttp.list, {}, { everyMs });
  const [opened, setOpened] = useState<Opened | null>(null);
  const shops = read.data?.rows ?? [];
  const listed = shops.find(({ id }) => id === opened?.shop?.id) ?? null;
  const newest = listed ?? opened?.shop ?? null;
  const close = () => setOpened(null);
  const add = mayChange && (
    <AddButton onClick={() => setOpened({ shop: null, dialog: 'fields' })}>{words.add}</AddButton>
  );
  return (
    <Frame title={words.title} description={words.description} actions={shops.length > 0 && add}>
      <AsyncContent read={read}>
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState title={words.none} text={words.noneText} action={add} example="items" />
          ) : (
            <Together>
              <WaitingOrders
                mayDecide={mayChange}
                onAssign={({ shopId, detail }) =>
                  setOpened({
                    shop: rows.find(({ id }) => id === shopId) ?? null,
                    dialog: 'products',
                    missing: detail.split(', '),
                  })
                }
              />
              {rows.map((shop) => (
                <ShopCard
                  key={shop.id}
                  shop={shop}
                  mayChange={mayChange}
                  onOpen={(dialog) => setOpened({ shop, dialog })}
                />
              ))}
              <ShopOrdersList shops={rows} mayDecide={mayChange} />
            </Together>
          )
        }
      </AsyncContent>
      {opened?.dialog === 'fields' && (
        <ShopDialog begun={opened.shop} newest={newest} readNewest={() => read.refetch()} onClose={close} />
      )}
      {opened?.dialog === 'products' && opened.shop && newest && (
        <ShopProductsDialog
          begun={opened.shop}
          newest={newest}
          missing={opened.missing}
          readNewest={() => read.refetch()}
          onClose={close}
        />
      )}
      {opened?.dialog === 'guide' && listed && <ShopGuide shop={listed} onClose={close} />}
      {opened?.dialog === 'secrets' && newest && <ShopSecretsDialog shop={newest} onClose={close} />}
      {opened?.dialog === 'remove' && newest && <RemoveShop shop={newest} onClose={close} />}
    </Frame>
  );
};
