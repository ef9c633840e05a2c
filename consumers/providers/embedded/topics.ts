/**
 * A small thesaurus of everyday subjects, so that texts and labels on one subject meet although their words
 * differ, also across English and Japanese. What is not in it is compared by spelling alone.
 */
import { stem } from './terms.ts'

const vocabulary: Record<string, string> = {
  sports: `sport athlete athletic team match tournament league championship champion football soccer
    baseball basketball tennis golf olympics coach goal score scored stadium marathon swimming player
    スポーツ 試合 選手 大会 優勝 サッカー 野球 テニス ゴルフ 五輪 オリンピック 監督 得点 球場 決勝 リーグ
    ゴール 陸上 水泳 相撲 チーム 連勝`,
  politics: `politics political politician government election vote voter parliament congress senate
    president minister policy democracy party campaign legislation diplomat diplomacy 政治 政府 選挙 投票
    国会 議会 議員 首相 大統領 大臣 政策 与党 野党 政党 内閣 外交 民主 知事 市長 法案`,
  business: `business economy economic economics finance financial market stock share investor investment
    bank inflation trade company corporate profit revenue merger earnings currency interest ビジネス 経済
    金融 市場 株価 株式 投資 銀行 物価 貿易 企業 会社 利益 売上 景気 円安 円高 金利 業績 経営 決算`,
  technology: `technology tech technical software hardware computer internet app digital ai robot
    programming code developer cloud server smartphone algorithm data network chip semiconductor engineer
    engineering update version release released operating system cybersecurity security encryption browser
    テクノロジー 技術 ソフトウェア ハードウェア コンピュータ コンピューター インターネット アプリ デジタル
    人工 知能 ロボット プログラミング 開発 クラウド サーバー スマートフォン スマホ 半導体 通信 端末
    バージョン 更新`,
  science: `science scientific scientist research researcher experiment physics chemistry biology
    astronomy space telescope planet discovery laboratory theory 科学 研究 実験 物理 化学 生物 天文 宇宙
    望遠鏡 惑星 発見 理論 論文 衛星 探査 博士`,
  health: `health healthy medical medicine doctor hospital patient disease illness vaccine virus surgery
    drug treatment symptom clinic nurse cancer diet 健康 医療 医学 医師 医者 病院 患者 病気 感染 ワクチン
    手術 治療 症状 診断 看護 薬 がん 診療 予防`,
  education: `education educational school student teacher university college classroom exam lesson
    tuition learn learning pupil curriculum 教育 学校 学生 生徒 教師 先生 大学 高校 授業 試験 入試 学習
    児童 教室 教科 卒業`,
  law: `law legal lawyer attorney court judge lawsuit trial justice contract verdict crime criminal police
    arrest 法律 法務 弁護 裁判 裁判所 判決 訴訟 契約 犯罪 警察 逮捕 容疑 司法 事件 被告 刑事`,
  environment: `environment environmental climate warming carbon emission pollution recycling renewable
    ecosystem forest wildlife conservation 環境 気候 温暖 炭素 排出 汚染 再生 生態 森林 自然 省エネ 脱炭`,
  entertainment: `entertainment movie film cinema actor actress director music song singer album concert
    band celebrity drama television theater game anime エンタメ 芸能 娯楽 映画 俳優 女優 音楽 歌手 曲
    アルバム コンサート ライブ ドラマ 番組 アニメ ゲーム 公演 主演 漫画`,
  food: `food cooking cook recipe restaurant chef meal dish delicious taste ingredient bake baking kitchen
    cuisine dinner lunch 料理 食品 食事 飲食 レシピ レストラン 食材 美味 味 調理 食べ物 野菜 グルメ
    ラーメン 寿司 弁当 鍋 醤油 菓子 炒 おいしい おいしか`,
  travel: `travel trip tourism tourist hotel flight airport airline vacation holiday destination luggage
    passport sightseeing 旅行 観光 旅 ホテル 旅館 空港 航空 温泉 宿泊 名所 旅客`,
  weather: `weather forecast rain rainy snow storm typhoon hurricane temperature sunny cloudy wind 天気
    天候 気象 予報 雨 雪 台風 気温 晴れ 大雨 猛暑 梅雨 降水 暴風 曇`,
  disaster: `disaster earthquake tsunami flood wildfire evacuation casualties rescue eruption 災害 地震
    津波 洪水 火災 避難 被災 救助 噴火 震度 震源 停電 防災`,
  military: `military war army troops soldier weapon missile conflict defense invasion ceasefire 軍事 戦争
    軍 兵士 武器 ミサイル 紛争 防衛 侵攻 停戦 自衛隊`,
  billing: `billing bill invoice payment pay paid charge charged refund price pricing subscription fee
    credit card receipt cost 請求 支払 支払い 料金 返金 課金 領収 価格 値段 決済 クレジット 会計 費用
    引き落`,
  shipping: `shipping ship shipped delivery deliver delivered package parcel courier tracking arrive
    arrived shipment 配送 配達 発送 出荷 荷物 到着 宅配 届 届く 送料 追跡 納期`,
  returns: `return returned exchange refund replacement 返品 交換 返金 返送`,
  account: `account login password username profile authentication locked signup registration verify
    アカウント ログイン パスワード 認証 登録 退会 会員 signin`,
  trouble: `bug error crash crashes broken fail failure failed issue problem defect outage freeze fix
    troubleshooting incident バグ エラー 不具合 障害 故障 問題 失敗 停止 異常 動作 起動 修理 トラブル 壊`,
  request: `request feature suggestion suggest wish improve improvement add enhancement 要望 機能 提案
    希望 改善 追加 リクエスト 依頼`,
  inquiry: `inquiry enquiry question ask asking wonder 質問 問い合わせ 問合せ 疑問 教え 照会`,
  complaint: `complaint complain unacceptable disappointed angry rude frustrated frustrating unhappy 苦情
    クレーム 不満 怒り 失礼 不愉快 納得`,
  urgent: `urgent urgently immediately asap emergency critical 緊急 至急 早急 直ちに 重大`,
  positive: `positive good great excellent wonderful amazing love loved perfect happy best fantastic
    awesome enjoyed recommend satisfied beautiful praise friendly pleasant ポジティブ 肯定 好意 最高
    素晴らしい 嬉しい 良い 満足 感動 感謝 快適 丁寧 好評 親切 面白い 面白 楽しい 美味しい 好き 大好き
    おすすめ すばらしい うれしい 嬉 楽 良 おいしい おいしか 使いやすい`,
  negative: `negative bad terrible awful horrible worst hate hated poor disappointed disappointing boring
    unhappy useless waste sad annoying slow ugly dirty ネガティブ 否定 最悪 残念 悪い 酷い 不満 失望 退屈
    嫌い 嫌 後悔 不快 不便 汚い 無駄 ひどい がっかり つまらない 悪 つまらなか 良くない 使いにくい`,
  spam: `spam lottery prize winner click free viagra casino offer unsubscribe スパム 迷惑 当選 懸賞 無料
    詐欺`,
  work: `job work career hiring hire recruit recruitment employee employer salary wage interview resume
    office 仕事 労働 求人 採用 就職 転職 社員 従業 給与 賃金 給料 面接 勤務 雇用 人事 残業 履歴`,
  family: `family parent mother father child children baby marriage wedding home 家族 家庭 両親 母親 父親
    子供 子ども 育児 結婚 夫婦 出産`,
  religion: `religion religious church god faith worship temple prayer belief 宗教 信仰 教会 神社 寺院
    礼拝 祈り 仏教 信教`,
}

const topics = new Map<string, string[]>()
for (const [topic, list] of Object.entries(vocabulary)) {
  for (const word of list.split(/\s+/)) topics.set(stem(word), [...(topics.get(stem(word)) ?? []), topic])
}

/** Whether a subject knows the stem, which a dictionary may split in two, as it does loanwords in kana. */
export function isKnown(stem: string): boolean {
  return topics.has(stem)
}

/** The subjects that a stem speaks of; those of its parts, for a compound in kanji. */
export function topicsOf(stem: string): string[] {
  const known = topics.get(stem)
  if (known || !/^\p{Script=Han}{3,8}$/u.test(stem)) return known ?? []
  return [...new Set(Array.from(stem, (_, at) => topics.get(stem.slice(at, at + 2)) ?? []).flat())]
}
