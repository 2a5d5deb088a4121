internal import SetEngine

/// All states that games under some rules can come to, up to symmetry, and what follows each of them.
///
/// Cards are dealt one at a time, so that a deal of k cards takes k steps of at most 27 outcomes each, and many deals
/// share their steps. A state is of one of two kinds: the player chooses, or an unseen card is dealt. The rules decide
/// which from the numbers of cards and from whether there is a Set. A choice takes cards away and a deal leaves fewer
/// unseen. So states fall into layers that lead to later layers alone.
struct StateGraph: Sendable {
  let rules: SetRules
  /// The canonical codes, layer by layer, sorted in each layer.
  let codes: [UInt64]
  /// The states of layer i are `codes[layerStarts[i]..<layerStarts[i + 1]]`.
  let layerStarts: [Int]
  /// What follows state i is `followers[followerStarts[i]..<followerStarts[i + 1]]`.
  let followerStarts: [UInt32]
  /// The numbers of states. After a choice, one per Set on the table in the order of `CardSet.sets`. After a deal, one
  /// per unseen card.
  let followers: [UInt32]
  let geometry: DeckGeometry

  init(_ rules: SetRules) {
    self.rules = rules
    let geometry = DeckGeometry(rules)
    self.geometry = geometry
    var canonical = CanonicalForm(geometry)
    let law = StateLaw(rules)
    let start = canonical.code(of: StateCode(table: CardSet(), unseen: rules.deck))
    var pending = [Set<UInt64>](repeating: [], count: law.layerCount)
    pending[law.layer(of: start)] = [start.bits]
    var (codes, layerStarts, followerStarts) = ([UInt64](), [0], [UInt32(0)])
    var followerCodes: [UInt64] = []
    for layer in pending.indices {
      for bits in pending[layer].sorted() {
        codes.append(bits)
        law.forEachFollower(of: StateCode(bits: bits)) { follower in
          let code = canonical.code(of: follower)
          followerCodes.append(code.bits)
          pending[law.layer(of: code)].insert(code.bits)
        }
        followerStarts.append(UInt32(followerCodes.count))
      }
      pending[layer] = []
      layerStarts.append(codes.count)
    }
    var numbers: [UInt64: UInt32] = Dictionary(minimumCapacity: codes.count)
    for (number, code) in codes.enumerated() { numbers[code] = UInt32(number) }
    followers = followerCodes.map { code in
      guard let number = numbers[code] else { preconditionFailure("a follower is in a later layer") }
      return number
    }
    (self.codes, self.layerStarts, self.followerStarts) = (codes, layerStarts, followerStarts)
  }

  /// The number of a state that is a canonical form; `nil` when no game comes to it.
  func number(of code: StateCode) -> Int? {
    let layer = StateLaw(rules).layer(of: code)
    var (low, high) = (layerStarts[layer], layerStarts[layer + 1])
    while low < high {
      let middle = (low + high) / 2
      if codes[middle] < code.bits { low = middle + 1 } else { high = middle }
    }
    return low < layerStarts[layer + 1] && codes[low] == code.bits ? low : nil
  }

  func followers(of state: Int) -> ArraySlice<UInt32> {
    followers[Int(followerStarts[state])..<Int(followerStarts[state + 1])]
  }

  /// The position that a state is; `nil` when a card is to be dealt.
  func position(_ state: Int) -> SetPosition? {
    let code = StateCode(bits: codes[state])
    return StateLaw(rules).isDeal(code) ? nil : SetPosition(uncheckedTable: code.table, unseen: code.unseen)
  }
}

/// The rules of the game for states in which cards are dealt one at a time.
struct StateLaw: Sendable {
  let rules: SetRules

  init(_ rules: SetRules) { self.rules = rules }

  /// Layers by the Sets taken, then by the cards dealt.
  var layerCount: Int { (rules.cardCount / 3 + 1) * (rules.cardCount + 1) }

  func layer(of code: StateCode) -> Int {
    let unseen = code.unseenBits.nonzeroBitCount
    let taken = rules.cardCount - unseen - code.tableBits.nonzeroBitCount
    return taken / 3 * (rules.cardCount + 1) + rules.cardCount - unseen
  }

  /// Whether an unseen card comes next, not a choice. Deals come in threes, since tables and decks do.
  func isDeal(_ code: StateCode) -> Bool {
    guard code.unseenBits != 0 else { return false }
    let onTable = code.tableBits.nonzeroBitCount
    return onTable < rules.tableSize || onTable % 3 != 0 || !code.table.hasSet
  }

  func forEachFollower(of code: StateCode, _ body: (StateCode) -> Void) {
    guard isDeal(code) else {
      for trio in code.table.sets { body(code.taking(trio)) }
      return
    }
    var rest = code.unseenBits
    while rest != 0 {
      body(code.dealing(rest.trailingZeroBitCount))
      rest &= rest - 1
    }
  }
}
