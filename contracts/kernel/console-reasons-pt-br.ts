import type { consoleReasons } from './console-reasons.ts';
import type { InWords } from './words.ts';

/** The sentences of `consoleReasons` in Brazilian Portuguese. */
export const consoleReasonsPtBr: InWords<typeof consoleReasons> = {
  'error-code': (code) => `Código do erro: ${code}.`,
  'console-cancelled': 'A conexão foi cancelada.',
  'console-closed-here': 'O Castellan fechou a conexão.',
  'console-link-closed': 'A ligação com o jogo foi fechada.',
  'console-ended': 'A conexão terminou.',
  'console-name-empty': 'O servidor não tem endereço.',
  'console-password-unsendable':
    'A senha tem uma quebra de linha ou outro caractere que não pode ser enviado, ou é longa demais.',
  'console-password-damaged': 'A senha guardada está danificada. Digite-a de novo.',
  'console-password-sealed': (key) =>
    `A senha guardada está criptografada com a chave ${key}. Coloque essa chave em CONFIG_ENCRYPTION_KEY_PREVIOUS e reinicie, ou digite a senha de novo.`,
  'console-login-timeout': (address) =>
    `${address} aceita conexões, mas não respondeu à autenticação a tempo.`,
  'console-timeout': (address) => `${address} não respondeu a tempo.`,
  'console-closed': (address) => `${address} fechou a conexão.`,
  'console-refused': (address) => `Nada escuta em ${address}.`,
  'console-cut': (address) => `${address} cortou a conexão.`,
  'console-name-unknown': (host) => `O nome “${host}” não é conhecido.`,
  'console-unreachable': (address) => `Não é possível alcançar ${address} a partir daqui.`,
  'console-password-refused': (address) => `${address} recusou a senha.`,
  'console-password-missing': (address) => `${address} pede uma senha, e nenhuma foi definida.`,
  'console-no-rcon': (address) => `O que responde em ${address} não fala RCON.`,
  'console-no-telnet': (address) => `O que responde em ${address} não é o console do 7 Days to Die.`,
  'console-no-rest': (address) => `O que responde em ${address} não é a API REST deste jogo.`,
  'console-http-fault': (address, status) => `${address} respondeu com o erro HTTP ${status}.`,
  'console-closed-on-password': (address) => `${address} fechou a conexão ao receber a senha.`,
  'console-closed-on-rcon-password': (address) =>
    `${address} fechou a conexão ao receber a senha: ela está errada, o jogo recusa este endereço, ou esta é a porta dos jogadores e não a do RCON.`,
  'console-closed-before-password': (address) =>
    `${address} fechou a conexão antes de pedir a senha: ele recusa este endereço por um tempo após senhas erradas, ou não é o console do 7 Days to Die.`,
  'console-not-ready': 'O jogo aceita a senha, mas ainda não aceita comandos. Talvez ainda esteja iniciando.',
  'console-not-answers': 'Depois da autenticação veio algo que não são respostas.',
  'console-closed-before-answer': 'O jogo aceitou a senha e fechou a conexão antes de responder.',
  'console-command-timeout': 'Um comando não teve resposta a tempo.',
  'console-command-cancelled': 'Um comando foi cancelado antes da resposta.',
  'console-reply-endless': 'Uma resposta não terminou.',

  'advice-refused': (enable) => `O servidor está em execução e o console está ativado (${enable})?`,
  'advice-timeout': (enable) =>
    `O endereço está certo, algum firewall bloqueia a porta e o console está ativado (${enable})?`,
  'advice-password': (password) => `A senha é a do jogo: ${password}. Depois de alterá-la, reinicie o jogo.`,
  'advice-name': 'Confira como está escrito, ou digite o endereço IP.',
  'advice-unreachable': 'Confira o endereço e a rede entre esta máquina e o servidor.',
  'advice-protocol': (game, port, enable) =>
    `Esta é a porta do console? A porta usual do ${game} é ${port}. Ela é definida por ${enable}.`,
  'advice-not-ready': 'Espere até que tenha iniciado e tente de novo.',
  'advice-lost': 'Tente de novo em um minuto. Se continuar assim, veja o registro do servidor de jogo.',
  'ark-enable': 'RCONEnabled=True e RCONPort em GameUserSettings.ini',
  'ark-password': 'ServerAdminPassword em GameUserSettings.ini',
  'seven-days-enable': 'TelnetEnabled e TelnetPort em serverconfig.xml',
  'seven-days-password': 'TelnetPassword em serverconfig.xml',
  'minecraft-enable': 'enable-rcon=true e rcon.port em server.properties',
  'minecraft-password': 'rcon.password em server.properties',
  'palworld-enable': 'RESTAPIEnabled=True e RESTAPIPort em PalWorldSettings.ini',
  'palworld-password': 'AdminPassword em PalWorldSettings.ini',

  'list-empty': 'O jogo respondeu com nada.',
  'list-none': 'Esta não é a lista de jogadores.',
  'list-cut': 'A lista de jogadores está incompleta.',
  'list-player': 'Não é possível ler um dos jogadores da lista.',
  'list-count': (counted, named) => `O jogo conta ${counted} jogadores e cita ${named}.`,
  'list-said': (lines) => `O jogo respondeu: ${lines}`,

  'status-connecting': 'Conectando.',
  'status-not-asked': 'O jogo não é consultado há algum tempo.',
  'status-silent': 'O jogo não respondeu ao último comando.',
  'status-not-running': 'O jogo não está em execução.',
  'status-agent-silent': 'O agente de jogo não dá notícias há algum tempo.',
  'status-agent-away': 'O agente de jogo deste servidor não está conectado.',
  'status-no-way':
    'Este servidor não tem endereço de console nem agente de jogo, por isso não pode ser alcançado.',
  'status-players-unknown': 'O jogo responde, mas não diz quem está nele.',
  'status-not-answered': 'O jogo ainda não respondeu.',
  'status-agent-setup': (command) =>
    `Nenhum console está configurado. Na máquina do jogo, execute: ${command} setup`,
};
