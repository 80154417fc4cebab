import { defineWords } from '#contracts/kernel/words.ts';
import type { AddressFault, AddressWarning } from '#contracts/operations/public-address.ts';

export const addressWords = defineWords(
  {
    title: 'Public address',
    missing: 'No public address yet. Shops and people outside need one.',
    set: 'Set the public address',
    check: 'Check now',
    toShops: 'Go to external shops',
    works: (address: string) => `${address} leads here.`,
    onlyHere: 'It leads to an address in your own network, so no one on the internet reaches it.',
    fromHere:
      'Checked from this computer. Whether the internet reaches it, only someone outside can tell: open it on a phone without Wi-Fi.',
    unencrypted: 'It begins with http, so passwords travel in the clear, and shops refuse it. Use https.',
    faults: {
      'unknown-name': () => 'This name leads nowhere. Check its spelling and its DNS entry.',
      'no-answer': (detail: string | null) =>
        `Nothing answered${detail === null ? '.' : `: ${detail}`} Check the proxy, the firewall and the router’s port forwarding. Some routers don’t let a network reach its own address; then check from outside.`,
      certificate: (detail: string | null) =>
        `Its certificate isn’t valid for this address${detail === null ? '.' : `: ${detail}`} Renew it, or correct the name.`,
      redirected: (detail: string | null) =>
        `It leads on${detail === null ? '' : ` to ${detail}`}, which shops don’t follow. Enter that address.`,
      'someone-else': () => 'Something else answers there. Check the address and the proxy’s target.',
    } satisfies Record<AddressFault, (detail: string | null) => string>,
    warnings: {
      host: 'The proxy passes on another host name. The panel works at this address once it’s the public address; for other addresses, let the proxy keep the Host header.',
      protocol:
        'The API doesn’t learn that visitors use https. Let the proxy send X-Forwarded-Proto, and set TRUST_PROXY.',
      senders: 'All visitors seem to come from the proxy. Set TRUST_PROXY to its address.',
    } satisfies Record<AddressWarning, string>,
  },
  {
    title: 'Endereço público',
    missing: 'Ainda não há endereço público. Lojas e pessoas de fora precisam de um.',
    set: 'Definir o endereço público',
    check: 'Verificar agora',
    toShops: 'Ir para as lojas externas',
    works: (address: string) => `${address} leva até aqui.`,
    onlyHere: 'Ele leva a um endereço da sua própria rede, então ninguém na internet o alcança.',
    fromHere:
      'Verificado deste computador. Se a internet o alcança, só alguém de fora pode dizer: abra-o num celular sem Wi-Fi.',
    unencrypted: 'Ele começa com http, então as senhas trafegam abertas e as lojas o recusam. Use https.',
    faults: {
      'unknown-name': () => 'Este nome não leva a lugar nenhum. Confira a grafia e o registro DNS.',
      'no-answer': (detail) =>
        `Nada respondeu${detail === null ? '.' : `: ${detail}`} Confira o proxy, o firewall e o redirecionamento de portas do roteador. Alguns roteadores não deixam a rede alcançar o próprio endereço; nesse caso, verifique de fora.`,
      certificate: (detail) =>
        `O certificado não é válido para este endereço${detail === null ? '.' : `: ${detail}`} Renove-o ou corrija o nome.`,
      redirected: (detail) =>
        `Ele leva adiante${detail === null ? '' : ` para ${detail}`}, o que as lojas não seguem. Informe esse endereço.`,
      'someone-else': () => 'Outra coisa responde lá. Confira o endereço e o destino do proxy.',
    },
    warnings: {
      host: 'O proxy repassa outro nome de host. O painel funciona neste endereço quando ele é o endereço público; para outros endereços, faça o proxy manter o cabeçalho Host.',
      protocol:
        'A API não fica sabendo que os visitantes usam https. Faça o proxy enviar X-Forwarded-Proto e defina TRUST_PROXY.',
      senders: 'Todos os visitantes parecem vir do proxy. Defina TRUST_PROXY com o endereço dele.',
    },
  },
);
