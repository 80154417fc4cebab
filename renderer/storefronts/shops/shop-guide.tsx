import { Code, Group, List, Text } from '@mantine/core';
import { type ShopKind, shopEventTypes } from '#contracts/storefronts/shop-webhooks.ts';
import { type ListedShop, shopsHttp } from '#contracts/storefronts/shops.ts';
import { useChange } from '../../kit/api/queries.ts';
import { usePublicAddress } from '../../kit/community/use-public-address.ts';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { addressWords } from '../../operations/address.words.ts';
import { AddressReport } from '../../operations/address-report.tsx';
import { shopGuideWords } from './shop-guide.words.ts';

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
export const ShopGuide = ({ shop, onClose }: { readonly shop: ListedShop; readonly onClose: () => void }) => {
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
