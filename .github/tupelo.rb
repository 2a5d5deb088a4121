# A formula for Homebrew. .ci/release --finish replaces the words in capitals.
class Tupelo < Formula
  desc "Trains, measures and plays agents for the game 2048"
  homepage "HOMEPAGE"
  version "VERSION"
  license "Apache-2.0"

  on_macos do
    depends_on arch: :arm64
    url "HOMEPAGE/releases/download/#{version}/tupelo-macos-arm64.tar.gz"
    sha256 "SHA256 of tupelo-macos-arm64.tar.gz"
  end
  on_linux do
    on_intel do
      url "HOMEPAGE/releases/download/#{version}/tupelo-linux-amd64.tar.gz"
      sha256 "SHA256 of tupelo-linux-amd64.tar.gz"
    end
    on_arm do
      url "HOMEPAGE/releases/download/#{version}/tupelo-linux-arm64.tar.gz"
      sha256 "SHA256 of tupelo-linux-arm64.tar.gz"
    end
  end

  def install
    # On macOS, lib has the library of spans, which systems before macOS 26 lack.
    prefix.install(*Dir["bin", "lib", "share"])
  end

  test do
    system bin/"tupelo", "train", "quickstart", "--games", "100", "--output", testpath/"run"
  end
end
