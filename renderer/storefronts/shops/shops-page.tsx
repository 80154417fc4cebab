import { Button, Code, Group, List, PasswordInput, Text } from '@mantine/core';
import { useState } from 'react';
import { type ShopKind, shopEventTypes } from '#contracts/storefronts/shop-webhooks.ts';
import { type ListedShop, mostShopSecrets, type Shop, shopsHttp } from '#contracts/storefronts/shops.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { pollMs, useChange, useRead } from '../../kit/api/queries.ts';
import { usePublicAddress } from '../../kit/community/use-public-address.ts';
import { AddButton } from '../../kit/design/add-button.tsx';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Together } from '../../kit/design/together.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { addressWords } from '../../operations/address.words.ts';
import { AddressReport } from '../../operations/address-report.tsx';
import { type OpenedDialog, ShopCard } from './shop-card.tsx';
import { ShopDialog } from './shop-dialog.tsx';
import { shopGuideWords } from './shop-guide.words.ts';
import { ShopOrdersList } from './shop-orders-list.tsx';
import { ShopProductsDialog } from './shop-products-dialog.tsx';
import { shopsWords } from './shops.words.ts';
import { WaitingOrders } from './waiting-orders.tsx';

/** An own site's request, for a shell with openssl and curl. */
const exampleOf = (url: string): string =>
  [
    `SECRET='…'`,
    `BODY='{"id":"evt-1","type":"paid","orderId":"1001","lines":[{"product":"vip","quantity":1}],"receiver":{"game":"minecraft","name":"Steve"}}'`,
    `T=$(date +%s)`,
    `V1=$(printf '%s.%s' "$T" "$BODY" | openssl dgst -sha256 -hmac "$SECRET" | sed 's/^.* //')`,
    `curl -H 'Content-Type: application/json' -H "Castellan-Signature: t=$T,v1=$V1" -d "$BODY" '${url}'`,
  ].join('\n');

const eventTypesOf = (kind: ShopKind): readonly string[] => (kind === 'generic' ? [] : shopEventTypes[kind]);

/** What is to be done at the shop itself, and whether its events would arrive. */
const ShopGuide = ({ shop, onClose }: { readonly shop: ListedShop; readonly onClose: () => void }) => {
  const words = useWords(shopGuideWords);
  const address = useWords(addressWords);
  const test = useChange(shopsHttp.sendTestEvent, [shopsHttp.list]);
  const { id, name, kind, path } = shop;
  const url = `${usePublicAddress() || 'https://…'}${path}`;
  const types = eventTypesOf(kind);
  const result = test.data;
  return (
    <FormDialog
      title={words.title(name)}
      size="lg"
      act={words.test}
      isActing={test.isPending}
      error={test.error}
      leave={words.close}
      closeOnClickOutside
      onSubmit={() => test.mutate({ params: { id } })}
      onClose={onClose}
    >
      <List type="ordered" size="sm" spacing="xs">
        {Object.values<string>(words.steps[kind]).map((step) => (
          <List.Item key={step}>{step}</List.Item>
        ))}
      </List>
      <Group gap={4}>
        <Text size="sm">{words.url}:</Text>
        <Code>{url}</Code>
        <CopyButton value={url} label={words.url} />
      </Group>
      {types.length > 0 && (
        <section aria-label={words.events}>
          <Group gap={4}>
            <Text size="sm" fw={600}>
              {words.events}
            </Text>
            <CopyButton value={types.join('\n')} label={words.copyEvents} />
          </Group>
          <Code block tabIndex={0}>
            {types.join('\n')}
          </Code>
        </section>
      )}
      {kind === 'generic' && (
        <section aria-label={words.example}>
          <Group gap={4}>
            <Text size="sm" fw={600}>
              {words.example}
            </Text>
            <CopyButton value={exampleOf(url)} label={words.copyExample} />
          </Group>
          <Code block tabIndex={0}>
            {exampleOf(url)}
          </Code>
        </section>
      )}
      <section aria-label={words.testTitle}>
        <Text size="sm" fw={600}>
          {words.testTitle}
        </Text>
        <Text size="sm">{words.testText}</Text>
        {result && (
          <Text size="sm" component="div" role="status">
            <StateLabel tone={result.outcome === 'received' ? 'ok' : 'warn'}>
              {words.outcomes[result.outcome]}
            </StateLabel>{' '}
            {result.code !== null && words.code(result.code)}
            {result.outcome === 'no-address' && <PanelLink to="/settings/general">{address.set}</PanelLink>}
          </Text>
        )}
        {result?.check && <AddressReport check={result.check} />}
      </section>
    </FormDialog>
  );
};

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
  const read = useRead(shopsHttp.list, {}, { everyMs: pollMs.usual });
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
