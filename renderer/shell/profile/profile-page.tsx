import { Alert, Button, List, Radio, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { accountHttp } from '#contracts/identity/account.ts';
import type { Permission } from '#contracts/identity/permissions.ts';
import { sessionsHttp } from '#contracts/identity/sessions.ts';
import { languages } from '#contracts/kernel/language.ts';
import { permissionGroups } from '../../identity/access/permission-groups.ts';
import { useRoleLabel } from '../../identity/access/use-role-label.ts';
import { PasswordField } from '../../identity/password-field.tsx';
import { rightsWords } from '../../identity/rights.words.ts';
import { useMe } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { useCommunity } from '../../kit/community/community-state.ts';
import { Card } from '../../kit/design/card.tsx';
import { colourSchemes, useColours } from '../../kit/design/colours.ts';
import { notifyDone } from '../../kit/design/notify.ts';
import { Page as Frame } from '../../kit/design/page.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { languageNames } from '../../kit/language/language-names.ts';
import { setDeviceClock, useIsDeviceClock } from '../../kit/language/time-zone.ts';
import { setLanguage, useChosenLanguage, useWords } from '../../kit/language/use-words.ts';
import { densities, setDensity, useDensity } from '../../kit/lists/density.ts';
import { shellWords } from '../shell.words.ts';
import { DiscordCard } from './discord-card.tsx';
import { HiddenUsername } from './hidden-username.tsx';
import classes from './profile.module.css';
import { profileWords } from './profile.words.ts';
import { SessionsCard } from './sessions-card.tsx';
import { TwoStepCard } from './two-step-card.tsx';

/** The person's own account, and what they may do. */
const RightsCard = () => {
  const words = useWords(profileWords);
  const me = useMe();
  const standing = useRoleLabel(me);
  const onServers = Object.values(me.serverPermissions).filter((held) => held.length > 0);
  const only = [...new Set(onServers.flat())].filter((permission) => !me.permissions.includes(permission));
  return (
    <Card title={words.you}>
      <dl className={classes.facts}>
        <dt>{words.name}</dt>
        <dd>
          <bdi>{me.name}</bdi>
        </dd>
        <dt>{words.standing}</dt>
        <dd>{standing}</dd>
      </dl>
      <Title order={3}>{words.rights}</Title>
      {me.permissions.length === 0 && only.length === 0 && <Text>{words.nothing}</Text>}
      {me.permissions.length > 0 && <Rights held={me.permissions} />}
      {only.length > 0 && (
        <Stack gap="xs">
          <Text fw={600}>{words.onServers(onServers.length)}</Text>
          <Rights held={only} />
        </Stack>
      )}
    </Card>
  );
};

const Rights = ({ held }: { readonly held: readonly Permission[] }) => {
  const words = useWords(rightsWords);
  const groups = permissionGroups.map(({ name, permissions }) => {
    const mine = permissions.filter((permission) => held.includes(permission));
    if (mine.length === 0) return null;
    return (
      <div key={name}>
        <Text c="dimmed" size="sm">
          {words.groups[name]}
        </Text>
        <List size="md" spacing={2}>
          {mine.map((permission) => (
            <List.Item key={permission}>{words.permissions[permission]}</List.Item>
          ))}
        </List>
      </div>
    );
  });
  return <div className={classes.rights}>{groups}</div>;
};

const PasswordCard = () => {
  const { password: words } = useWords(profileWords);
  const { name } = useMe();
  const [areDifferent, setAreDifferent] = useState(false);
  const change = useChange(accountHttp.changePassword, [sessionsHttp.list]);

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const field = (of: string) => String(new FormData(form).get(of) ?? '');
    const isSame = field('new') === field('again');
    setAreDifferent(!isSame);
    if (!isSame || change.isPending) return;
    const body = { currentPassword: field('current'), newPassword: field('new') };
    change.mutate(
      { body },
      {
        onSuccess: () => {
          form.reset();
          notifyDone(words.changed);
        },
      },
    );
  };

  return (
    <Card title={words.title}>
      <Text c="dimmed">{words.text}</Text>
      <form onSubmit={send}>
        <Stack gap="sm">
          <HiddenUsername name={name} />
          <PasswordField name="current" label={words.current} autoComplete="current-password" />
          <PasswordField name="new" label={words.new} autoComplete="new-password" minLength={10} />
          <PasswordField
            name="again"
            label={words.again}
            autoComplete="new-password"
            {...(areDifferent && { error: words.differ })}
          />
          {change.error && <Trouble error={change.error} />}
          <div>
            <Button type="submit" loading={change.isPending}>
              {words.change}
            </Button>
          </div>
        </Stack>
      </form>
    </Card>
  );
};

const clocks = ['community', 'device'] as const;
/** The value of the radio button that chooses no language. */
const communityChoice = 'community';

/** The panel's look and language in this browser. */
const AppearanceCard = () => {
  const { look: words } = useWords(profileWords);
  const shell = useWords(shellWords);
  const language = useChosenLanguage();
  const isDeviceClock = useIsDeviceClock();
  const { timeZone } = useCommunity();
  const clockLabels = {
    community: timeZone === null ? words.communityClock : words.communityClockIn(timeZone),
    device: words.deviceClock(Intl.DateTimeFormat().resolvedOptions().timeZone),
  };
  const { chosen, choose } = useColours();
  const density = useDensity();
  return (
    <Card title={words.title}>
      <Text c="dimmed">{words.text}</Text>
      <Radio.Group label={shell.language} value={language ?? communityChoice}>
        <Stack gap="xs" mt={4}>
          <Radio
            value={communityChoice}
            label={words.communityLanguage}
            onChange={() => void setLanguage(null)}
          />
          {languages.map((each) => (
            <Radio
              key={each}
              value={each}
              lang={each}
              label={languageNames[each]}
              onChange={() => void setLanguage(each)}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Radio.Group label={words.clock} value={isDeviceClock ? 'device' : 'community'}>
        <Stack gap="xs" mt={4}>
          {clocks.map((each) => (
            <Radio
              key={each}
              value={each}
              label={clockLabels[each]}
              onChange={() => setDeviceClock(each === 'device')}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Radio.Group label={words.rows} value={density}>
        <Stack gap="xs" mt={4}>
          {densities.map((each) => (
            <Radio key={each} value={each} label={words[each]} onChange={() => setDensity(each)} />
          ))}
        </Stack>
      </Radio.Group>
      <Radio.Group label={shell.theme} value={chosen}>
        <Stack gap="xs" mt={4}>
          {colourSchemes.map((each) => (
            <Radio key={each} value={each} label={shell[each]} onChange={() => choose(each)} />
          ))}
        </Stack>
      </Radio.Group>
    </Card>
  );
};

export const Page = () => {
  const words = useWords(profileWords);
  const { account } = useMe();
  return (
    <Frame title={words.title} description={words.description}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <RightsCard />
        <Stack gap="md">
          {account ? (
            <>
              <TwoStepCard account={account} />
              <PasswordCard />
              <DiscordCard />
            </>
          ) : (
            <Alert variant="outline">{words.noAccount}</Alert>
          )}
          <AppearanceCard />
        </Stack>
      </SimpleGrid>
      {account && <SessionsCard />}
    </Frame>
  );
};
