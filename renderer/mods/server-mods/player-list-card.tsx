import { Button, Code, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { ServerMods } from '#contracts/mods/mods.ts';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { useChange } from '../../kit/api/queries.ts';
import { usePublicAddress } from '../../kit/community/use-public-address.ts';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { OutsideLink } from '../mod-parts/outside-link.tsx';
import { modsWords } from './mods.words.ts';

interface PlayerListCardProps {
  readonly serverId: string;
  readonly mods: ServerMods;
  readonly mayAct: boolean;
}

/** The page that tells players which mods they need. */
export const PlayerListCard = ({ serverId, mods: { playerList }, mayAct }: PlayerListCardProps) => {
  const words = useWords(modsWords);
  const [isStopping, setIsStopping] = useState(false);
  const share = useChange(modsHttp.sharePlayerList, [modsHttp.read]);
  const params = { serverId };
  // This page comes from the API, except in the desktop, which knows no address that a player could use.
  const own = usePublicAddress();
  const url = playerList && own + playerList.url;
  return (
    <Card title={words.players}>
      <Text size="sm">{words.playersText}</Text>
      {url ? (
        <>
          <Group gap="xs">
            <Code>{url}</Code>
            <CopyButton value={url} label={words.copyLink} />
            {own !== '' && (
              <OutsideLink href={url} size="sm">
                {words.openLink}
              </OutsideLink>
            )}
          </Group>
          {own === '' && <Text size="sm">{words.linkBegins}</Text>}
          {mayAct && (
            <Group>
              <Button size="xs" variant="default" onClick={() => setIsStopping(true)}>
                {words.stopSharing} …
              </Button>
            </Group>
          )}
        </>
      ) : mayAct ? (
        <Group>
          <Button
            size="xs"
            variant="default"
            loading={share.isPending}
            onClick={() => share.mutate({ params, body: { isShared: true } })}
          >
            {words.share}
          </Button>
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          {words.notShared}
        </Text>
      )}
      {share.error && !isStopping && <Trouble error={share.error} />}
      {isStopping && (
        <ConfirmAction
          title={words.stopTitle}
          act={words.stopSharing}
          onAction={() => share.mutateAsync({ params, body: { isShared: false } })}
          onClose={() => setIsStopping(false)}
        >
          {words.stopText}
        </ConfirmAction>
      )}
    </Card>
  );
};
