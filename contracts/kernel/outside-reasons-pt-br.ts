import type { outsideReasons } from './outside-reasons.ts';
import type { InWords } from './words.ts';

/** The sentences of `outsideReasons` in Brazilian Portuguese. */
export const outsideReasonsPtBr: InWords<typeof outsideReasons> = {
  'outside-offline': (host) =>
    `Este computador não está conectado a uma rede, por isso não é possível alcançar ${host}.`,
  'outside-name-unknown': (host) =>
    `O nome ${host} não foi encontrado. Confira se está escrito certo e o servidor DNS desta rede.`,
  'outside-name-silent': (host) =>
    `Nenhum servidor DNS respondeu onde está ${host}. Confira se este computador está online.`,
  'outside-no-route': (host) => `Não há rota até ${host}. Confira a rede, a VPN e o firewall.`,
  'outside-refused': (host) =>
    `Nada aceita conexões em ${host}. Um firewall pode estar rejeitando as conexões, ou o serviço está fora do ar.`,
  'outside-timeout': (host) =>
    `Nenhuma resposta veio de ${host} a tempo. Um firewall pode estar descartando a conexão, ou esta rede precisa de um proxy.`,
  'outside-reset': (host) =>
    `A conexão com ${host} foi cortada. Um firewall, um antivírus ou um proxy pode fazer isso.`,
  'outside-broken': (host, code) => `A conexão com ${host} caiu (${code}).`,
  'outside-no-tls': (host, code) =>
    `O que responde em ${host} não fala TLS como deveria (${code}). Confira o endereço e se um firewall ou antivírus altera a conexão.`,
  'outside-intercepted': (host, issuer) =>
    `O certificado de ${host} foi assinado por “${issuer}”, em que este computador não confia. Se for um antivírus ou o proxy da sua empresa, instale o certificado raiz dele no sistema, ou indique o arquivo em TRUSTED_CA_FILE, e inicie o Castellan de novo.`,
  'outside-self-signed': (host, name) =>
    `O certificado de ${host} é assinado por ele mesmo (“${name}”). Se isso for intencional, indique o arquivo em TRUSTED_CA_FILE e inicie o Castellan de novo; caso contrário, outra coisa responde lá.`,
  'outside-chain': (host, issuer) =>
    `O certificado de ${host} vem sem o de “${issuer}”, que o assinou e que este computador não conhece. Quem administra o servidor precisa instalar a cadeia inteira.`,
  'outside-expired': (host, end, now) =>
    `Um certificado de ${host} venceu em ${end}, e o relógio deste computador diz ${now}. Se o relógio estiver certo, o servidor precisa de um novo.`,
  'outside-not-yet-valid': (host, start, now) =>
    `Um certificado de ${host} vale a partir de ${start}, e o relógio deste computador diz ${now}. Acerte o relógio.`,
  'outside-other-name': (host, names) =>
    `O que responde em ${host} mostra o certificado de ${names}. Quem responde lá é a página de login de uma rede ou outro servidor.`,
  'outside-certificate': (host, code) => `O certificado de ${host} não é aceito (${code}).`,
  'outside-page': (host) =>
    `Uma página da web veio no lugar da resposta de ${host}: a página de login desta rede, ou um filtro que bloqueia o endereço. Abra o endereço em um navegador para vê-la.`,
  'outside-strange': (host, status) =>
    `O que responde em ${host} não é o que o Castellan procura lá (HTTP ${status}). Confira o endereço e se um filtro desta rede responde no lugar dele.`,
  'outside-trouble': (host, status) =>
    `${host} foi alcançado, mas relata uma falha (HTTP ${status}). Tente de novo mais tarde.`,
  'outside-no-websocket': (host, status) =>
    `${host} foi alcançado, mas nada deixa passar um WebSocket até ele (HTTP ${status}). Peça para permiti-lo no proxy, no firewall ou no antivírus.`,
  'proxy-unspoken': (setting, scheme) =>
    `${setting} não é usado: o Castellan não fala ${scheme} com um proxy. Indique ali um proxy HTTP, como http://proxy.example:8080, ou remova essa configuração.`,
  'proxy-unreadable': (setting) =>
    `${setting} não é usado: não é o endereço de um proxy HTTP, como http://proxy.example:8080. Corrija ou remova essa configuração.`,
  'authorities-unused': (fileAndWhy) =>
    `TRUSTED_CA_FILE não é usado: ${fileAndWhy}. Corrija isso e inicie o Castellan de novo.`,
  'proxy-unknown': (proxy) =>
    `O nome do proxy ${proxy} não foi encontrado. Confira o endereço dele nas configurações.`,
  'proxy-away': (proxy, code) =>
    `Não é possível alcançar o proxy ${proxy} (${code}). Confira o endereço dele nas configurações.`,
  'proxy-silent': (proxy, host) => `O proxy ${proxy} não abriu um caminho até ${host} a tempo.`,
  'proxy-sign-in': (proxy) =>
    `O proxy ${proxy} pede um nome e uma senha (407). Escreva-os no endereço dele, como em http://nome:senha@host:porta.`,
  'proxy-sign-in-refused': (proxy) =>
    `O proxy ${proxy} não aceita o nome e a senha (407). Confira os que estão no endereço dele.`,
  'proxy-sign-in-unsupported': (proxy, schemes) =>
    `O proxy ${proxy} exige autenticação por ${schemes} (407), o que o Castellan não consegue fazer. Peça que os endereços do Castellan sejam dispensados da autenticação, ou use neste computador um pequeno proxy que se autentique por ele, como Px ou Cntlm.`,
  'proxy-forbids': (proxy, host, status) =>
    `O proxy ${proxy} não deixa o Castellan passar até ${host} (HTTP ${status}). Peça que o endereço seja permitido lá.`,
  'proxy-page': (proxy, host) =>
    `O proxy ${proxy} responde com uma página da web em vez de um caminho até ${host}: ele bloqueia o endereço, ou exige um login pelo navegador.`,
  'proxy-odd': (proxy, code) =>
    `O que responde em ${proxy} não é um proxy HTTP (${code}). Confira o endereço dele nas configurações.`,
};
