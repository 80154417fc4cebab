import { SimpleGrid, Stack, Text } from '@mantine/core';
import { contractVersion } from '#contracts/kernel/product.ts';
import type { StackHealth } from '#contracts/operations/health.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { LastKnown } from '../last-known.tsx';
import { PartDetail } from '../part-detail.tsx';
import { stackHealthWords } from '../stack-health/stack-health.words.ts';
import {
  botStateOf,
  isTrouble,
  needsAdvice,
  partPlaces,
  partTones,
  type StackPart,
  stackParts,
  unknownPartsOf,
} from '../stack-health/stack-parts.ts';
import { useStackHealth } from '../stack-health/use-stack-health.ts';
import { AgentsCard } from './agents-card.tsx';
import { DatabaseCard } from './database-card.tsx';
import { healthWords } from './health.words.ts';
import { QueuesCard } from './queues-card.tsx';
import { SpaceCard } from './space-card.tsx';

/** What is wrong with a component, what that means, what to do and where; this page itself needs no link. */
const PartTrouble = ({ part }: { readonly part: StackPart }) => {
  const { name, detail } = part;
  const words = useWords(stackHealthWords);
  const can = useCan();
  const { to, permission, page } = partPlaces[name];
  return (
    <Stack gap={4}>
      {detail && <PartDetail>{detail}</PartDetail>}
      {needsAdvice(part) && (
        <>
          <Text size="sm">{words.meanings[name]}</Text>
          <Text size="sm">{words.remedies[name]}</Text>
        </>
      )}
      {to !== '/health' && can.somewhere(permission) && (
        <PanelLink to={to} size="sm">
          {words.open[page]}
        </PanelLink>
      )}
    </Stack>
  );
};

interface PartsCardProps {
  readonly health: StackHealth;
  readonly isLastKnown: boolean;
}

/** What is wrong, what it means and what to do; or that everything is fine. */
const TroubleCard = ({ health, isLastKnown }: PartsCardProps) => {
  const words = useWords(healthWords);
  const names = useWords(stackHealthWords);
  const troubles = stackParts(health).filter(isTrouble);
  const unknowns = unknownPartsOf(health);
  if (isLastKnown)
    return (
      <Card title={words.troubles}>
        <StateLabel tone="bad">{words.cannotSay}</StateLabel>
      </Card>
    );
  return (
    <Card title={words.troubles}>
      {troubles.length === 0 ? (
        <div role="status">
          {unknowns > 0 ? (
            <StateLabel tone="idle">{words.notKnown(unknowns)}</StateLabel>
          ) : (
            <>
              <StateLabel tone="ok">{words.allWell}</StateLabel>
              <Text c="dimmed">{words.allWellText}</Text>
            </>
          )}
        </div>
      ) : (
        <Stack gap="md" role="status">
          {troubles.map((part) => (
            <div key={part.name}>
              <Text fw={600} component="div">
                <StateLabel tone={partTones[part.state]}>
                  {names.parts[part.name]}: {names.states[part.state]}
                </StateLabel>
              </Text>
              <PartTrouble part={part} />
            </div>
          ))}
        </Stack>
      )}
    </Card>
  );
};

/** All components at a glance. */
const PartsCard = ({ health, isLastKnown }: PartsCardProps) => {
  const words = useWords(healthWords);
  const names = useWords(stackHealthWords);
  return (
    <Card title={words.parts}>
      <Facts
        facts={stackParts(health).map(({ name, state }) => ({
          label: names.parts[name],
          value: (
            <StateLabel tone={isLastKnown ? 'idle' : partTones[state]}>{names.states[state]}</StateLabel>
          ),
        }))}
      />
    </Card>
  );
};

const legendStates = [
  ['ok', 'ok'],
  ['degraded', 'degraded'],
  ['down', 'down'],
  ['unused', 'idle'],
] as const;

/** The meaning of each state, in one sentence. */
const StateLegendCard = () => {
  const words = useWords(healthWords);
  const names = useWords(stackHealthWords);
  return (
    <Card title={words.meanings}>
      <Facts
        facts={legendStates.map(([state, sign]) => ({
          label: <StateLabel tone={partTones[state]}>{names.states[state]}</StateLabel>,
          value: words.signs[sign],
        }))}
      />
    </Card>
  );
};

/** Versions, and the uptime of the API. */
const ProgramCard = ({ health }: { readonly health: StackHealth }) => {
  const words = useWords(healthWords);
  const format = useFormat();
  return (
    <Card title={words.program}>
      <Facts
        facts={[
          { label: words.version, value: health.version },
          {
            label: words.contract,
            value: (
              <>
                {health.contractVersion}
                {health.contractVersion !== contractVersion && (
                  <Text>{words.contractDiffers(contractVersion)}</Text>
                )}
              </>
            ),
          },
          { label: words.uptime, value: format.duration(health.uptimeSeconds) },
        ]}
      />
    </Card>
  );
};

/** The Discord bot's own report. */
const BotCard = ({ health, isLastKnown }: { health: StackHealth; isLastKnown: boolean }) => {
  const words = useWords(healthWords);
  const can = useCan();
  const state = botStateOf(health.components.bot.detail);
  const part = stackParts(health).find(({ name }) => name === 'bot');
  const tone = isLastKnown || !part ? 'idle' : partTones[part.state];
  return (
    <Card title={words.bot}>
      <StateLabel tone={tone}>{state ? words.botStates[state] : words.botSilent}</StateLabel>
      {state && <Text>{words.botTexts[state]}</Text>}
      {part?.detail && <PartDetail>{part.detail}</PartDetail>}
      {state === 'waiting' && can('settings.read') && (
        <PanelLink to="/discord" size="sm">
          {words.openDiscord}
        </PanelLink>
      )}
    </Card>
  );
};

/** While the page is visible. */
const everyMs = 5000;

/** All facts about the stack's health. */
export const Page = () => {
  const words = useWords(healthWords);
  const can = useCan();
  const { read, lastKnownAt } = useStackHealth({ isPolled: true });
  const isLastKnown = lastKnownAt !== null;
  return (
    <Frame title={words.title} description={words.description}>
      {lastKnownAt && <LastKnown at={lastKnownAt} />}
      <AsyncContent read={read}>
        {(health) => (
          <>
            <TroubleCard health={health} isLastKnown={isLastKnown} />
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
              <PartsCard health={health} isLastKnown={isLastKnown} />
              <DatabaseCard everyMs={everyMs} />
            </SimpleGrid>
            <QueuesCard everyMs={everyMs} />
            <AgentsCard everyMs={everyMs} isLastKnown={isLastKnown} />
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
              <BotCard health={health} isLastKnown={isLastKnown} />
              <ProgramCard health={health} />
            </SimpleGrid>
            {can('logs.read') && <SpaceCard />}
            <StateLegendCard />
          </>
        )}
      </AsyncContent>
    </Frame>
  );
};
